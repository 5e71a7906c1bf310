package io.feedkit.internal.host;

import io.feedkit.CallbackException;
import io.feedkit.FeedKitException;
import java.util.function.Supplier;

/**
 * Calls the host's deciding callbacks: whatever they throw, and a null answer, becomes a typed exception; failures of a
 * store they met pass through. So do errors of the virtual machine, such as a lack of memory, but for an overflow of
 * the stack, which is the callback's own.
 */
public final class GuardedCallbacks {

    private GuardedCallbacks() {}

    public static <T> T call(String callback, Supplier<T> body) {
        T answer;
        try {
            answer = body.get();
        } catch (FeedKitException e) {
            throw e;
        } catch (Throwable e) {
            throwIfFatal(e);
            Interrupts.keep(e);
            throw new CallbackException(callback, e);
        }
        if (answer == null) {
            throw new CallbackException(callback, new NullPointerException("it returned null"));
        }
        return answer;
    }

    /**
     * Throws what the virtual machine suffers from, whoever called it: it is no failure of a callback, nor of a task.
     */
    public static void throwIfFatal(Throwable failure) {
        if (failure instanceof VirtualMachineError error && !(failure instanceof StackOverflowError)) {
            throw error;
        }
    }
}
