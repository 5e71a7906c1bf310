package io.feedkit.jdbc.internal.sql;

import io.feedkit.spi.Position;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * A table that is sent as a parameter, so that a batch of any size is one statement with one text. The column {@code i}
 * numbers the rows from 1.
 *
 * <p>PostgreSQL and H2 receive an array for each column, MySQL and MariaDB a JSON document.
 */
public final class ParameterTable {

    /** The type of a column. */
    private enum Type {
        TEXT("varchar(80) CHARACTER SET ascii COLLATE ascii_bin"),
        LONG_TEXT("varchar(1000) CHARACTER SET ascii COLLATE ascii_bin"),
        NUMBER("bigint");

        private final String inJson;

        Type(String inJson) {
            this.inJson = inJson;
        }
    }

    private record Column(String name, Type type) {}

    private final String name;
    private final List<Column> columns = new ArrayList<>();

    private ParameterTable(String name) {
        this.name = name;
    }

    /** Creates a table with this alias and no columns yet. */
    public static ParameterTable named(String name) {
        return new ParameterTable(name);
    }

    /** The alias. */
    public String name() {
        return name;
    }

    /** Adds a column of ids. */
    public ParameterTable text(String column) {
        columns.add(new Column(column, Type.TEXT));
        return this;
    }

    /** Adds a column of texts of up to 1,000 visible ASCII characters. */
    public ParameterTable longText(String column) {
        columns.add(new Column(column, Type.LONG_TEXT));
        return this;
    }

    /** Adds a column of numbers. */
    public ParameterTable number(String column) {
        columns.add(new Column(column, Type.NUMBER));
        return this;
    }

    /** Adds the three columns of a {@link Position}: {@code <name>_at}, {@code <name>_id} and {@code <name>_author}. */
    public ParameterTable position(String column) {
        return number(column + "_at").text(column + "_id").text(column + "_author");
    }

    /** The table as a part of a FROM clause, alias included. */
    public String source(Dialect dialect) {
        return dialect.isMySql() ? json() : arrays(dialect);
    }

    /**
     * The table as the driving table of a join: for each of its rows, in their order, the other table is looked up. The
     * number of rows is hidden from PostgreSQL's planner. For a thousand rows, it would otherwise scan a table of ten
     * thousand.
     */
    public String drivingSource(Dialect dialect) {
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
        String type = column.type() == Type.NUMBER ? "bigint" : "varchar";
        return "CAST(:" + parameter(column) + " AS " + type + (dialect == Dialect.H2 ? " ARRAY" : "[]") + ")";
    }

    /** Returns all values of the first column as an array, for PostgreSQL and H2. */
    public String array(Dialect dialect) {
        return array(columns.get(0), dialect);
    }

    private String json() {
        StringJoiner definitions = new StringJoiner(", ", " COLUMNS (", ", i FOR ORDINALITY)");
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            definitions.add(column.name() + " " + column.type().inJson + " PATH '$[" + c + "]'");
        }
        return "JSON_TABLE(:" + name + ", '$[*]'" + definitions + ") AS " + name;
    }

    /** Starts the rows of one execution. */
    public Rows fill() {
        return new Rows();
    }

    /** The rows of a table with one column of ids: distinct, in the order of the ids. */
    public Rows ofIds(Collection<String> ids) {
        Rows rows = new Rows();
        new TreeSet<>(ids).forEach(rows::add);
        return rows;
    }

    private String parameter(Column column) {
        return name + "_" + column.name();
    }

    /**
     * An array with a type. PostgreSQL's driver sends such an array directly, but formats an array of objects as text.
     */
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

        /** The message of a failed statement contains this. */
        @Override
        public String toString() {
            return values.length + " x " + type;
        }
    }

    /** The rows of one execution. */
    public final class Rows {

        private final List<List<Object>> cells = new ArrayList<>();

        private Rows() {
            columns.forEach(column -> cells.add(new ArrayList<>()));
        }

        /** Adds a row: a String, Long or {@link Position} for each column or three columns, in their order. */
        public Rows add(Object... values) {
            List<Object> row = new ArrayList<>();
            for (Object value : values) {
                if (value instanceof Position position) {
                    row.addAll(List.of(position.millis(), position.id(), position.author()));
                } else {
                    row.add(value);
                }
            }
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "a row of " + name + " must have " + columns.size() + " values, but has " + row.size());
            }
            for (int c = 0; c < row.size(); c++) {
                cells.get(c).add(row.get(c));
            }
            return this;
        }

        /** The number of rows. */
        public int size() {
            return cells.get(0).size();
        }

        /** Binds the rows to a statement that contains this table's {@link ParameterTable#source source}. */
        public <S extends SqlStatement<S>> S bindTo(S statement, Dialect dialect) {
            if (dialect.isMySql()) {
                return statement.bind(name, toJson());
            }
            S bound = statement;
            for (int c = 0; c < columns.size(); c++) {
                Column column = columns.get(c);
                bound = bound.bind(
                        parameter(column),
                        column.type() == Type.NUMBER
                                ? new TypedArray("bigint", cells.get(c).toArray(Long[]::new))
                                : new TypedArray("varchar", cells.get(c).toArray(String[]::new)));
            }
            return bound;
        }

        /** Binds one row to a statement that has the names of the columns as parameters. */
        public <S extends SqlStatement<S>> S bindRow(S statement, int row) {
            S bound = statement;
            for (int c = 0; c < columns.size(); c++) {
                bound = bound.bind(columns.get(c).name(), cells.get(c).get(row));
            }
            return bound;
        }

        /** Ids are visible ASCII, so only quotation marks and backslashes have to be escaped. */
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
