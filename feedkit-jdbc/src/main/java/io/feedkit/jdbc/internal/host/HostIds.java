package io.feedkit.jdbc.internal.host;

import io.feedkit.internal.check.Ids;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A column of ids of a host's table. It is compared for equality in its own type, so that the host's indexes can be
 * used, and ordered as text.
 */
final class HostIds {

    private enum Type {
        TEXT,
        NUMBER,
        UUID
    }

    private final String column;
    private final String text;
    private final String legal;
    private final Type type;
    private final boolean unbounded;
    private final Dialect dialect;

    HostIds(HostColumns columns, String name, Dialect dialect) {
        this.column = "h." + name;
        this.text = columns.id(name);
        this.legal = columns.legal(name);
        this.type = columns.isText(name) ? Type.TEXT : columns.isNumber(name) ? Type.NUMBER : Type.UUID;
        this.unbounded = columns.isUnbounded(name);
        this.dialect = dialect;
    }

    /** The id of a row {@code h} as text, ordered by bytes. */
    String text() {
        return text;
    }

    /** The condition that the id of a row {@code h} is legal. */
    String legal() {
        return legal;
    }

    /** The condition that a row {@code h} has an id: a parameter, or a column of {@link #wanted}. */
    String is(String id) {
        return column + " = " + (type == Type.UUID ? "CAST(" + id + " AS uuid)" : id);
    }

    /** Converts an id to a parameter of {@link #is}; empty if no row can have the id. */
    Optional<Object> parameter(String id) {
        return switch (type) {
            case TEXT -> Optional.of(id);
            case NUMBER -> number(id).map(number -> number);
            case UUID -> isUuid(id) ? Optional.of(id) : Optional.empty();
        };
    }

    /** An id that a row may have. */
    String exampleId() {
        return type == Type.UUID ? "00000000-0000-0000-0000-000000000000" : "0";
    }

    /** An id that a row may have, in SQL. */
    String example() {
        return type == Type.NUMBER ? exampleId() : "'" + exampleId() + "'";
    }

    /** Whether ids of another column are of the same kind. */
    boolean isLike(HostIds other) {
        return type == other.type;
    }

    /** A table of ids to look for, with the column {@code id}. */
    ParameterTable wanted() {
        ParameterTable table = ParameterTable.named("w");
        return type == Type.NUMBER ? table.number("id") : table.text("id");
    }

    /** Returns the distinct ids that a row can have. */
    List<String> possible(Collection<String> ids) {
        return ids.stream()
                .distinct()
                .filter(id -> parameter(id).isPresent())
                .sorted()
                .toList();
    }

    /** The column as a part of an index. MySQL and MariaDB index a prefix of a text without a length limit. */
    String equal() {
        String name = column.substring("h.".length());
        return dialect.isMySql() && unbounded ? name + "(" + Ids.MAX_LENGTH + ")" : name;
    }

    /** Whether an index on the column itself has the ids in the order of {@link #text}. */
    boolean isOrderedAsItIs() {
        return type == Type.TEXT || dialect == Dialect.H2 || dialect == Dialect.MARIADB;
    }

    /** The column as the second part of an index whose rows are in the order of {@link #text}. */
    String indexed() {
        String name = column.substring("h.".length());
        return switch (dialect) {
            case POSTGRESQL ->
                type == Type.TEXT ? name + " COLLATE \"C\"" : "(CAST(" + name + " AS varchar)) COLLATE \"C\"";
            case MYSQL -> type == Type.TEXT ? equal() : "(" + text.replace(column, name) + ")";
            case H2, MARIADB -> equal();
        };
    }

    private static Optional<Long> number(String id) {
        try {
            long number = Long.parseLong(id);
            return Long.toString(number).equals(id) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isUuid(String id) {
        try {
            return UUID.fromString(id).toString().equals(id);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
