package io.feedkit.jdbc.internal.sql;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

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
            arguments.add(array(column, dialect));
            names.add(column.name());
        }
        return arguments + " WITH ORDINALITY AS " + name + names;
    }

    private String array(Column column, Dialect dialect) {
        String type = column.type() == Type.TEXT ? "varchar" : "bigint";
        return "CAST(:" + parameter(column) + " AS " + type + (dialect == Dialect.H2 ? " ARRAY" : "[]") + ")";
    }

    /** All values of the first column as an array, for PostgreSQL and H2. */
    public String array(Dialect dialect) {
        return array(columns.get(0), dialect);
    }

    private String json() {
        StringJoiner definitions = new StringJoiner(", ", " COLUMNS (", ", i FOR ORDINALITY)");
        for (int c = 0; c < columns.size(); c++) {
            String type =
                    columns.get(c).type() == Type.TEXT ? "varchar(80) CHARACTER SET ascii COLLATE ascii_bin" : "bigint";
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

    /** Values as an array of their type, which PostgreSQL's driver sends as it is; one of objects it prints. */
    private static final class TypedArray implements Argument {

        private final String type;
        private final Object[] values;

        TypedArray(String type, Object[] values) {
            this.type = type;
            this.values = values;
        }

        @Override
        public void apply(int position, PreparedStatement statement, StatementContext context) throws SQLException {
            Array array = statement.getConnection().createArrayOf(type, values);
            context.addCleanable(array::free);
            statement.setArray(position, array);
        }

        /** What the message of a failed statement says. */
        @Override
        public String toString() {
            return values.length + " x " + type;
        }
    }

    /** Rows to be bound. */
    public final class Filled {

        private final List<List<Object>> cells = new ArrayList<>();

        private Filled() {
            columns.forEach(column -> cells.add(new ArrayList<>()));
        }

        /** Adds a row: a String or Long for each column, in their order. */
        public Filled add(Object... values) {
            if (values.length != columns.size()) {
                throw new IllegalArgumentException(columns.size() + " values expected, but got " + values.length);
            }
            for (int c = 0; c < values.length; c++) {
                cells.get(c).add(values[c]);
            }
            return this;
        }

        /** How many rows there are. */
        public int size() {
            return cells.get(0).size();
        }

        /** Binds the rows to a statement that has this table's {@link Rows#source source} in it. */
        public <S extends SqlStatement<S>> S bindTo(S statement, Dialect dialect) {
            if (dialect.isMySql()) {
                return statement.bind(name, toJson());
            }
            S bound = statement;
            for (int c = 0; c < columns.size(); c++) {
                Column column = columns.get(c);
                bound = bound.bind(
                        parameter(column),
                        column.type() == Type.TEXT
                                ? new TypedArray("varchar", cells.get(c).toArray(String[]::new))
                                : new TypedArray("bigint", cells.get(c).toArray(Long[]::new)));
            }
            return bound;
        }

        /** Ids are visible ASCII, so that quotation marks and backslashes are all that has to be escaped. */
        private String toJson() {
            StringBuilder json = new StringBuilder("[");
            for (int r = 0; r < size(); r++) {
                json.append(r == 0 ? "[" : ",[");
                for (int c = 0; c < cells.size(); c++) {
                    json.append(c == 0 ? "" : ",");
                    Object value = cells.get(c).get(r);
                    if (value instanceof String text) {
                        json.append('"')
                                .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                                .append('"');
                    } else {
                        json.append(value);
                    }
                }
                json.append(']');
            }
            return json.append(']').toString();
        }
    }
}
