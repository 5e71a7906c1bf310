package io.feedkit.jdbc.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * A table that travels as a parameter, so that a batch of any size is one statement with one text. Its column {@code i} numbers the rows from 1.
 *
 * <p>PostgreSQL and H2 get an array for each column, MySQL and MariaDB a JSON document.
 */
public final class Rows {

    /** The type of a column. */
    private enum Type {
        TEXT,
        NUMBER
    }

    private record Column(String name, Type type) {}

    private final String name;
    private final List<Column> columns = new ArrayList<>();

    private Rows(String name) {
        this.name = name;
    }

    /** A table with this alias and no columns yet. */
    public static Rows named(String name) {
        return new Rows(name);
    }

    /** The alias. */
    public String name() {
        return name;
    }

    /** Adds a column of ids. */
    public Rows text(String column) {
        columns.add(new Column(column, Type.TEXT));
        return this;
    }

    /** Adds a column of numbers. */
    public Rows number(String column) {
        columns.add(new Column(column, Type.NUMBER));
        return this;
    }

    /** The table as a part of a FROM clause, alias included. */
    public String source(Dialect dialect) {
        return dialect.isMySql() ? json() : arrays(dialect);
    }

    /**
     * The table as a part of a FROM clause that something is looked up for, row by row and in the order of the rows. PostgreSQL is kept from seeing how long it
     * is: it would rather scan a table of some ten thousand rows than look a thousand up.
     */
    public String walked(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? source(dialect).replaceAll("(CAST\\(:\\w+ AS \\w+\\[]\\))", "(SELECT $1)")
                : source(dialect);
    }

    private String arrays(Dialect dialect) {
        StringJoiner arguments = new StringJoiner(", ", "unnest(", ")");
        StringJoiner names = new StringJoiner(", ", "(", ", i)");
        for (Column column : columns) {
            String type = column.type() == Type.TEXT ? "varchar" : "bigint";
            String array = dialect == Dialect.H2 ? type + " ARRAY" : type + "[]";
            arguments.add("CAST(:" + parameter(column) + " AS " + array + ")");
            names.add(column.name());
        }
        return arguments + " WITH ORDINALITY AS " + name + names;
    }

    private String json() {
        StringJoiner definitions = new StringJoiner(", ", " COLUMNS (", ", i FOR ORDINALITY)");
        for (int c = 0; c < columns.size(); c++) {
            String type =
                    columns.get(c).type() == Type.TEXT ? "varchar(65) CHARACTER SET ascii COLLATE ascii_bin" : "bigint";
            definitions.add(columns.get(c).name() + " " + type + " PATH '$[" + c + "]'");
        }
        return "JSON_TABLE(:" + name + ", '$[*]'" + definitions + ") AS " + name;
    }

    /** Collects rows for one execution. */
    public Filled fill() {
        return new Filled();
    }

    private String parameter(Column column) {
        return name + "_" + column.name();
    }

    /** Rows to be bound. */
    public final class Filled {

        private final List<Object[]> rows = new ArrayList<>();

        private Filled() {}

        /** Adds a row: a String or Long for each column, in their order. */
        public Filled add(Object... values) {
            if (values.length != columns.size()) {
                throw new IllegalArgumentException(columns.size() + " values expected, but got " + values.length);
            }
            rows.add(values.clone());
            return this;
        }

        /** How many rows there are. */
        public int size() {
            return rows.size();
        }

        /** Binds the rows to a statement that has this table's {@link Rows#source source} in it. */
        public <S extends SqlStatement<S>> S bindTo(S statement, Dialect dialect) {
            if (dialect.isMySql()) {
                return statement.bind(name, toJson());
            }
            S bound = statement;
            for (int c = 0; c < columns.size(); c++) {
                Column column = columns.get(c);
                Class<?> type = column.type() == Type.TEXT ? String.class : Long.class;
                bound = bound.bindArray(parameter(column), type, values(c));
            }
            return bound;
        }

        private Object[] values(int column) {
            Object[] values = new Object[rows.size()];
            for (int r = 0; r < values.length; r++) {
                values[r] = rows.get(r)[column];
            }
            return values;
        }

        /** Ids are visible ASCII, so that quotation marks and backslashes are all that has to be escaped. */
        private String toJson() {
            StringBuilder json = new StringBuilder("[");
            for (Object[] row : rows) {
                json.append(json.length() == 1 ? "[" : ",[");
                for (int c = 0; c < row.length; c++) {
                    json.append(c == 0 ? "" : ",");
                    if (row[c] instanceof String text) {
                        json.append('"')
                                .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                                .append('"');
                    } else {
                        json.append(row[c]);
                    }
                }
                json.append(']');
            }
            return json.append(']').toString();
        }
    }
}
