package io.feedkit.counter;

import io.feedkit.spi.counter.CounterStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** A store something happens to whose calls. The defaults of the interface are the calls that they make. */
public final class InterceptedCounterStore {

    private InterceptedCounterStore() {}

    /** What happens around a call. */
    public interface Around {
        /** Makes a call, which nobody else does. */
        Object call(String method, Call call) throws Throwable;
    }

    /** A call that was not made yet. */
    public interface Call {
        /** Makes it. */
        Object make() throws Throwable;
    }

    /** A store whose calls are made by somebody else. */
    public static CounterStore of(CounterStore store, Around around) {
        return (CounterStore) Proxy.newProxyInstance(
                CounterStore.class.getClassLoader(),
                new Class<?>[] {CounterStore.class},
                (self, method, arguments) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(self, method, arguments)
                        : around.call(method.getName(), () -> make(store, method, arguments)));
    }

    private static Object make(CounterStore store, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A store behind whose calls of one kind something happens. */
    public static CounterStore after(CounterStore store, String name, Runnable happens) {
        return of(store, (method, call) -> {
            Object answer = call.make();
            if (method.equals(name)) {
                happens.run();
            }
            return answer;
        });
    }
}
