package io.feedkit.bench.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Counts round trips to the database: statements, commits, rollbacks, and a pool's checks whether a connection still
 * works. Thread-safe.
 */
public final class RoundTrips {

    private static final Set<String> OF_CONNECTION = Set.of("commit", "rollback", "isValid");
    private static final List<Class<?>> WATCHED =
            List.of(CallableStatement.class, PreparedStatement.class, Statement.class, Connection.class);

    private final AtomicLong count = new AtomicLong();
    private final BooleanSupplier counts;

    public RoundTrips() {
        this(() -> true);
    }

    /** Counts the round trips of some threads. */
    public RoundTrips(BooleanSupplier counts) {
        this.counts = counts;
    }

    public long count() {
        return count.get();
    }

    /** The same source, with counted round trips. */
    DataSource counting(DataSource source) {
        return watched(DataSource.class, source);
    }

    private <T> T watched(Class<T> type, T target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            String name = method.getName();
            boolean trip = target instanceof Statement ? name.startsWith("execute") : OF_CONNECTION.contains(name);
            if (trip && counts.getAsBoolean()) {
                count.incrementAndGet();
            }
            try {
                return answer(method.getReturnType(), method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private Object answer(Class<?> type, Object answer) {
        return WATCHED.contains(type) ? watchedAs(type, answer) : answer;
    }

    private <T> Object watchedAs(Class<T> type, Object answer) {
        return watched(type, type.cast(answer));
    }
}
