package io.feedkit.jdbc.internal.sql;

/** Statements on those rows of a table that meet a parameter table, in each dialect's words. The parameter table is walked, the other one looked up. */
public final class Joins {

    private final Dialect dialect;

    /** Statements in a dialect. */
    public Joins(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A FROM clause. */
    public String from(ParameterTable rows, String table, String condition) {
        String join = dialect.isMySql() ? " STRAIGHT_JOIN " : " JOIN ";
        return rows.drivingSource(dialect) + join + table + " ON " + condition;
    }

    /** A DELETE; the table comes with its alias. */
    public String delete(ParameterTable rows, String table, String alias, String condition) {
        return switch (dialect) {
            case POSTGRESQL ->
                "DELETE FROM " + table + " " + alias + " USING " + rows.drivingSource(dialect) + " WHERE " + condition;
            case MYSQL, MARIADB -> "DELETE " + alias + " FROM " + from(rows, table + " " + alias, condition);
            case H2 -> merge(rows, table, alias, condition) + " WHEN MATCHED THEN DELETE";
        };
    }

    /** An UPDATE; what is assigned must not be named as any column of the parameter table. */
    public String update(ParameterTable rows, String table, String alias, String assignments, String condition) {
        return switch (dialect) {
            case POSTGRESQL ->
                "UPDATE " + table + " " + alias + " SET " + assignments + " FROM " + rows.drivingSource(dialect)
                        + " WHERE " + condition;
            case MYSQL, MARIADB -> "UPDATE " + from(rows, table + " " + alias, condition) + " SET " + assignments;
            case H2 -> merge(rows, table, alias, condition) + " WHEN MATCHED THEN UPDATE SET " + assignments;
        };
    }

    private String merge(ParameterTable rows, String table, String alias, String condition) {
        return "MERGE INTO " + table + " " + alias + " USING (SELECT * FROM " + rows.drivingSource(dialect) + ") "
                + rows.name() + " ON (" + condition + ")";
    }
}
