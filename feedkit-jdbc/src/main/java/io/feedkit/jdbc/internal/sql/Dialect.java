package io.feedkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases FeedKit speaks, and what they spell differently. */
public enum Dialect {
    /** H2, in memory, in a file or as a server. */
    H2("h2", "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS bigint)"),
    /** PostgreSQL. */
    POSTGRESQL("postgresql", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)"),
    /** MySQL. */
    MYSQL("mysql", "CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED)"),
    /** MariaDB. */
    MARIADB("mysql", "CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED)");

    private final String schemaFolder;
    private final String now;

    Dialect(String schemaFolder, String now) {
        this.schemaFolder = schemaFolder;
        this.now = now;
    }

    /**
     * Recognises the database behind a connection.
     *
     * @throws IllegalArgumentException if it is none of them; the message names it
     */
    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        String version = connection.getMetaData().getDatabaseProductVersion();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> H2;
            case "postgresql" -> POSTGRESQL;
            case "mariadb" -> MARIADB;
            case "mysql" -> version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL;
            default ->
                throw new IllegalArgumentException(
                        "dataSource must lead to H2, PostgreSQL, MySQL or MariaDB, but leads to " + product + " "
                                + version);
        };
    }

    /** The folder of this database's schema scripts. */
    public String schemaFolder() {
        return schemaFolder;
    }

    /** The database's clock as an expression: milliseconds since the epoch. */
    String now() {
        return now;
    }

    /** Whether statements are written for MySQL or its relative. */
    public boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }
}
