package io.feedkit.jdbc.internal.host;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/**
 * The indexes that a host's table of follows needs: one to find a reader's followees, and one to walk over an author's
 * followers in order.
 */
final class HostIndexes {

    private static final int LONGEST_NAME = 45;

    /** Stands for a part of an index that is an expression, not a column. */
    private static final String EXPRESSION = "";

    /** Steps of a plan that read all rows or sort them. */
    private static final Pattern UNFIT = Pattern.compile("(Seq Scan|Sort)[^(:]*\\(cost");

    private final Database database;
    private final HostTable table;
    private final FollowsTable follows;
    private final HostIds follower;
    private final HostIds followee;

    HostIndexes(Database database, HostTable table, FollowsTable follows, HostIds follower, HostIds followee) {
        this.database = database;
        this.table = table;
        this.follows = follows;
        this.follower = follower;
        this.followee = followee;
    }

    /** Returns the statements that create the missing indexes. The tables behind a view are not checked. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (isView()) {
            return missing;
        }
        Collection<List<String>> indexes = indexes();
        if (indexes.stream().noneMatch(index -> begins(index, follows.follower()))) {
            missing.add(statement("follower", follower.equal() + ", " + followee.equal()));
        }
        boolean isFound = indexes.stream().anyMatch(index -> begins(index, follows.followee()) && isOrdered(index));
        if (!isFound || (database.dialect() == Dialect.POSTGRESQL && !comesInOrder())) {
            missing.add(statement("followee", followee.equal() + ", " + follower.indexed()));
        }
        return missing;
    }

    private static boolean begins(List<String> index, String column) {
        return index.get(0).equalsIgnoreCase(column);
    }

    /** Whether an index by followees may have the followers in order. In PostgreSQL, the query plan decides instead. */
    private boolean isOrdered(List<String> index) {
        if (database.dialect() == Dialect.POSTGRESQL) {
            return true;
        }
        return index.size() > 1
                && index.get(1).equalsIgnoreCase(follower.isOrderedAsItIs() ? follows.follower() : EXPRESSION);
    }

    private String statement(String by, String columns) {
        String name = table.name().substring(0, Math.min(table.name().length(), LONGEST_NAME)) + "_by_" + by;
        return "CREATE INDEX " + name + " ON " + table.qualified() + " (" + columns + ")";
    }

    /** Whether PostgreSQL can read followers in order without sorting them, even if it prefers another plan. */
    private boolean comesInOrder() {
        String page = "SELECT " + follower.text() + " FROM " + table.qualified() + " h WHERE "
                + followee.is(followee.example()) + " AND " + follower.text() + " >= '0' ORDER BY " + follower.text()
                + " LIMIT 2";
        return database.transaction("store.check", handle -> {
            for (String way : List.of("enable_seqscan", "enable_bitmapscan", "enable_sort")) {
                handle.execute("SET LOCAL " + way + " = off");
            }
            return handle.createQuery("EXPLAIN " + page).mapTo(String.class).list().stream()
                    .noneMatch(line -> UNFIT.matcher(line).find());
        });
    }

    private boolean isView() {
        return database.read("store.check", handle -> {
            try (ResultSet tables =
                    metaData(handle).getTables(catalog(handle), schema(handle), pattern(handle), null)) {
                return tables.next() && tables.getString("TABLE_TYPE").contains("VIEW");
            } catch (SQLException e) {
                throw new StoreUnavailableException("store.check", e);
            }
        });
    }

    /** The columns of each index, in their order. */
    private Collection<List<String>> indexes() {
        return database.read("store.check", handle -> {
            Map<String, List<String>> columns = new LinkedHashMap<>();
            try (ResultSet rows =
                    metaData(handle).getIndexInfo(catalog(handle), schema(handle), name(handle), false, true)) {
                while (rows.next()) {
                    if (rows.getShort("ORDINAL_POSITION") > 0) {
                        columns.computeIfAbsent(rows.getString("INDEX_NAME"), index -> new ArrayList<>())
                                .add(Optional.ofNullable(rows.getString("COLUMN_NAME"))
                                        .orElse(EXPRESSION));
                    }
                }
                return columns.values();
            } catch (SQLException e) {
                throw new StoreUnavailableException("store.check", e);
            }
        });
    }

    /** The table's name as a search pattern. */
    private String pattern(Handle handle) throws SQLException {
        return name(handle).replace("_", metaData(handle).getSearchStringEscape() + "_");
    }

    private static DatabaseMetaData metaData(Handle handle) throws SQLException {
        return handle.getConnection().getMetaData();
    }

    private String catalog(Handle handle) throws SQLException {
        Connection connection = handle.getConnection();
        return database.dialect().isMySql() && !table.schema().isEmpty() ? table.schema() : connection.getCatalog();
    }

    private String schema(Handle handle) throws SQLException {
        String own = Optional.ofNullable(handle.getConnection().getSchema()).orElse("");
        return table.schema().isEmpty() || database.dialect().isMySql() ? own : stored(handle, table.schema());
    }

    private String name(Handle handle) throws SQLException {
        return stored(handle, table.name());
    }

    /** A name as the database stores it. */
    private static String stored(Handle handle, String name) throws SQLException {
        return metaData(handle).storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
    }
}
