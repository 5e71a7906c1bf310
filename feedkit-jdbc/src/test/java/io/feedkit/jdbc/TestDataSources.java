package io.feedkit.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Data sources with the peculiarities of those of hosts. */
final class TestDataSources {

    /** Changes the answer of a call. */
    private interface Answer {
        Object of(Method method, Object answer);
    }

    /** Runs before each call of a connection. */
    interface Before {
        void call(String method, Object[] arguments) throws SQLException;
    }

    /** Runs before a connection is handed out. */
    interface Check {
        void run() throws SQLException;
    }

    private TestDataSources() {}

    /** A connection that runs something before each call. */
    static Connection before(Connection connection, Before before) {
        return (Connection) Proxy.newProxyInstance(
                TestDataSources.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    before.call(method.getName(), arguments == null ? new Object[0] : arguments);
                    return invoke(connection, method, arguments);
                });
    }

    /** A data source whose connections fail to prepare statements that contain a text. */
    static DataSource refusing(DataSource dataSource, String text, String state) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, answer) -> answer instanceof Connection connection
                        ? before(connection, (called, arguments) -> {
                            if (called.equals("prepareStatement")
                                    && String.valueOf(arguments[0]).contains(text)) {
                                throw new SQLException("refused", state);
                            }
                        })
                        : answer);
    }

    /** A data source whose connections run something before each call. */
    static DataSource before(DataSource dataSource, Before before) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, answer) -> answer instanceof Connection connection ? before(connection, before) : answer);
    }

    /** A data source that hands out connections only if a check passes. */
    static DataSource checked(DataSource dataSource, Check check) {
        return (DataSource) Proxy.newProxyInstance(
                TestDataSources.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        check.run();
                    }
                    return invoke(dataSource, method, arguments);
                });
    }

    /** A data source whose database has another name. */
    static DataSource calling(DataSource dataSource, String product) {
        return describing(dataSource, "getDatabaseProductName", product);
    }

    /** A data source whose database has another version. */
    static DataSource versioned(DataSource dataSource, String version) {
        return describing(dataSource, "getDatabaseProductVersion", version);
    }

    private static DataSource describing(DataSource dataSource, String question, String answered) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, answer) -> answer instanceof Connection connection
                        ? proxy(
                                Connection.class,
                                connection,
                                (called, metaData) -> metaData instanceof DatabaseMetaData found
                                        ? proxy(
                                                DatabaseMetaData.class,
                                                found,
                                                (asked, told) -> asked.getName().equals(question) ? answered : told)
                                        : metaData)
                        : answer);
    }

    /** A data source whose connections cannot be unwrapped. */
    static DataSource opaque(DataSource dataSource) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, answer) -> answer instanceof Connection connection
                        ? proxy(
                                Connection.class,
                                connection,
                                (called, told) -> called.getName().equals("isWrapperFor") ? false : told)
                        : answer);
    }

    /** A data source that always hands out the same connection, which stays open and keeps its settings. */
    static DataSource single(DataSource dataSource, Connection connection) {
        Connection kept = (Connection) Proxy.newProxyInstance(
                TestDataSources.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : invoke(connection, method, arguments));
        return proxy(DataSource.class, dataSource, (method, answer) -> {
            if (answer instanceof Connection unused) {
                close(unused);
                return kept;
            }
            return answer;
        });
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T proxy(Class<T> type, T target, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                TestDataSources.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.of(method, invoke(target, method, arguments))));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
