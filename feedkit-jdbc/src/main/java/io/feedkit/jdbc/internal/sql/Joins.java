package io.feedkit.jdbc.internal.sql;

/** Statements that join a table with a parameter table, for each dialect. The parameter table drives the join. */
public final class Joins {

    private final Dialect dialect;

    /** Creates statements in a dialect. */
    public Joins(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Returns a FROM clause. */
    public String from(ParameterTable driving, String table, String condition) {
        return driving.drivingSource(dialect) + dialect.join() + table + " ON " + condition;
    }

    /** Returns a DELETE. */
    public String delete(ParameterTable driving, String table, String alias, String condition) {
        return switch (dialect) {
            case POSTGRESQL ->
                "DELETE FROM " + table + " " + alias + " USING " + driving.drivingSource(dialect) + " WHERE "
                        + condition;
            case MYSQL, MARIADB -> "DELETE " + alias + " FROM " + from(driving, table + " " + alias, condition);
            case H2 -> merge(driving, table, alias, condition) + " WHEN MATCHED THEN DELETE";
        };
    }

    /** Returns an UPDATE. The assigned columns must not have the name of a column of the parameter table. */
    public String update(ParameterTable driving, String table, String alias, String assignments, String condition) {
        return switch (dialect) {
            case POSTGRESQL ->
                "UPDATE " + table + " " + alias + " SET " + assignments + " FROM " + driving.drivingSource(dialect)
                        + " WHERE " + condition;
            case MYSQL, MARIADB -> "UPDATE " + from(driving, table + " " + alias, condition) + " SET " + assignments;
            case H2 -> merge(driving, table, alias, condition) + " WHEN MATCHED THEN UPDATE SET " + assignments;
        };
    }

    private String merge(ParameterTable driving, String table, String alias, String condition) {
        return "MERGE INTO " + table + " " + alias + " USING (SELECT * FROM " + driving.drivingSource(dialect) + ") "
                + driving.name() + " ON (" + condition + ")";
    }
}
