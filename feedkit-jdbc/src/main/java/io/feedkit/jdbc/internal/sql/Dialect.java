package io.feedkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The supported databases, and the SQL in which they differ. */
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
     * @throws IllegalArgumentException if the database is not supported; the message names it
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

    /**
     * The database's clock as an expression, in milliseconds since the epoch. The expression can be compared with an
     * indexed column, and does not depend on daylight saving time.
     */
    String now() {
        return now;
    }

    /** Returns a parameter as a number, where the database cannot infer the type. */
    public String number(String parameter) {
        return "CAST(" + parameter + " AS " + (isMySql() ? "signed" : "bigint") + ")";
    }

    /** Returns a parameter as text, where the database cannot infer the type. */
    public String text(String parameter) {
        return "CAST(" + parameter + " AS " + (isMySql() ? "char(96)" : "varchar(96)") + ")";
    }

    /**
     * The clock for rows that are written. In H2 the clock of a transaction stays at the transaction's start, but a
     * UUID of version 7 contains the current time.
     */
    String written() {
        return this == H2
                ? "CAST(X'0000' || SUBSTRING(CAST(RANDOM_UUID(7) AS BINARY(16)) FROM 1 FOR 6) AS bigint)"
                : now;
    }

    /**
     * The end of a query that locks the rows of one table, and not those of a joined parameter table. MySQL would
     * refuse the query, because it cannot lock the latter. MariaDB and H2 have no syntax for this, and lock only the
     * rows that can be locked.
     *
     * @param alias the alias of the table
     */
    public String forUpdate(String alias) {
        return " FOR UPDATE" + of(alias);
    }

    /**
     * Like {@link #forUpdate}, with a lock that several transactions can hold. Such a query also finds rows that were
     * committed since its transaction took a snapshot. H2 has no shared locks and needs none, since each of its
     * statements finds committed rows.
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

    /** An inner join that reads its left table first. */
    public String join() {
        return isMySql() ? " STRAIGHT_JOIN " : " JOIN ";
    }

    /**
     * A query for the next {@code :n} different values of an indexed column, above {@code :after} and in order.
     * PostgreSQL would read all rows of a value to come to the next one, and so has to look each value up.
     */
    public String distinct(String table, String column) {
        if (this != POSTGRESQL) {
            return "SELECT DISTINCT " + column + " FROM " + table + " WHERE " + column + " > :after ORDER BY " + column
                    + " LIMIT :n";
        }
        String next = "SELECT t." + column + " FROM " + table + " t WHERE t." + column + " > ";
        String first = " ORDER BY t." + column + " LIMIT 1";
        return "WITH RECURSIVE found(id) AS ((" + next + ":after" + first + ") UNION ALL SELECT (" + next + "f.id"
                + first + ") FROM found f WHERE f.id IS NOT NULL) SELECT id FROM found WHERE id IS NOT NULL LIMIT :n";
    }

    /** Whether the database is MySQL or MariaDB. */
    public boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }
}
