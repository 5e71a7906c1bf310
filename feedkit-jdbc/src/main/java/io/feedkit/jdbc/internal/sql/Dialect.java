package io.feedkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases FeedKit speaks, and what they spell differently. */
public enum Dialect {
    /** H2, in memory, in a file or as a server. */
    H2("h2", "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS bigint)"),
    /** PostgreSQL. */
    POSTGRESQL("postgresql", "(SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint))"),
    /** MySQL. */
    MYSQL("mysql", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)"),
    /** MariaDB. */
    MARIADB("mysql", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)");

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

    /** The database's clock as an expression: milliseconds since the epoch. Written so that an index can be searched by it, and no change of summer time moves it. */
    String now() {
        return now;
    }

    /** A parameter as a number, where the database cannot tell from the context. */
    public String number(String parameter) {
        return "CAST(" + parameter + " AS " + (isMySql() ? "signed" : "bigint") + ")";
    }

    /** A parameter as text, where the database cannot tell from the context. */
    public String text(String parameter) {
        return "CAST(" + parameter + " AS " + (isMySql() ? "char(96)" : "varchar(96)") + ")";
    }

    /** The same for rows that are written: H2 gives a transaction the time of its beginning, however long ago, unless asked for something that carries the time. */
    String written() {
        return this == H2
                ? "CAST(X'0000' || SUBSTRING(CAST(RANDOM_UUID(7) AS BINARY(16)) FROM 1 FOR 6) AS bigint)"
                : now;
    }

    /**
     * The end of a query that locks the rows it finds in one table, and in none that is joined to it. MySQL would also lock the rows of a parameter table, and
     * refuses because it cannot; MariaDB and H2 have no word for it, and lock only what can be locked.
     *
     * @param alias the table's
     */
    public String forUpdate(String alias) {
        return " FOR UPDATE" + of(alias);
    }

    /**
     * Like {@link #forUpdate}, but others may hold the same lock. Such a query also finds what was committed since its transaction took a snapshot. H2 has no
     * shared locks, and needs none: each of its statements finds what is committed.
     */
    public String forShare(String alias) {
        return switch (this) {
            case POSTGRESQL, MYSQL -> " FOR SHARE" + of(alias);
            case MARIADB -> " LOCK IN SHARE MODE";
            case H2 -> "";
        };
    }

    private String of(String alias) {
        return this == POSTGRESQL || this == MYSQL ? " OF " + alias : "";
    }

    /** Whether statements are written for MySQL or its relative. */
    public boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }
}
