package io.feedkit.jdbc.internal.host;

import io.feedkit.FeedKitException;
import io.feedkit.FollowCounts;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.jdbc.internal.graph.FollowerCuts;
import io.feedkit.jdbc.internal.graph.FollowerPages;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Failures;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host's own table of follows, which FeedKit only reads. Ids are compared in the columns' own types, and ordered as
 * text. Pages of followers come from one index, and pages of followees from another one.
 */
public final class HostFollowGraph implements FollowGraph {

    private static final Logger log = LoggerFactory.getLogger(HostFollowGraph.class);

    /** A count stops at this number of rows, which takes a second or two. Thresholds of policies should be lower. */
    private static final int MOST_COUNTED = 10_000_000;

    private static final int IDLE_SECONDS = 10;

    private static final IdPage EMPTY = new IdPage(List.of(), false);

    private final Database database;
    private final HostTable table;
    private final HostIds follower;
    private final HostIds followee;
    private final RecentCounts recent;
    /** The graph outside of the transaction, if this one is in a transaction of the host. */
    private final Optional<HostFollowGraph> outside;

    private final ThreadPoolExecutor counting;
    private final String followersSql;
    private final String followeesSql;
    private final String followedSql;
    private final boolean countsTogether;
    private final String countsSql;
    private final String followersOfSql;
    private final String cutSql;

    private HostFollowGraph(Database database, HostTable table, HostIds follower, HostIds followee) {
        this.database = database;
        this.table = table;
        this.follower = follower;
        this.followee = followee;
        this.recent = new RecentCounts(System::nanoTime);
        this.outside = Optional.empty();
        this.counting = oneThread();
        String rows = " FROM " + table.qualified() + " h WHERE ";
        String followersOf = rows + followee.is(":author") + " AND " + follower.legal();
        followersSql = "SELECT " + follower.text() + " AS id" + followersOf + " AND " + follower.text()
                + " >= :lowest AND " + follower.text() + " < :below ORDER BY " + follower.text() + " LIMIT :rows";
        followeesSql = "SELECT " + followee.text() + " AS id" + rows + follower.is(":reader") + " AND "
                + followee.legal() + " AND " + followee.text() + " > :after ORDER BY " + followee.text()
                + " LIMIT :rows";
        String authors = followee.wanted().source(database.dialect());
        followedSql = "SELECT " + followee.text() + " AS id FROM " + authors
                + database.dialect().join() + table.qualified() + " h ON " + follower.is(":reader") + " AND "
                + followee.is("w.id");
        countsTogether = database.dialect() == Dialect.POSTGRESQL || database.dialect() == Dialect.MYSQL;
        countsSql = countsTogether
                ? "SELECT w.i, " + counted(rows + followee.is("w.id")) + ", " + counted(rows + follower.is("w.id"))
                        + " FROM " + authors
                : "SELECT 1, " + counted(rows + followee.is(":user")) + ", " + counted(rows + follower.is(":user"));
        followersOfSql = "SELECT count(*)" + followersOf;
        cutSql = "SELECT " + follower.text() + " AS id" + followersOf + " AND " + follower.text()
                + " >= :from ORDER BY " + follower.text() + " LIMIT 1 OFFSET :skipped";
    }

    /** Counts rows up to a limit, so that a count takes a bounded time. */
    private static String counted(String rows) {
        return "(SELECT count(*) FROM (SELECT 1 AS one" + rows + " LIMIT " + MOST_COUNTED + ") c)";
    }

    /** Creates the same graph, but reads through another database. */
    private HostFollowGraph(HostFollowGraph other, Database database) {
        this.database = database;
        this.table = other.table;
        this.follower = other.follower;
        this.followee = other.followee;
        this.recent = other.recent;
        this.outside = Optional.of(other);
        this.counting = other.counting;
        this.followersSql = other.followersSql;
        this.followeesSql = other.followeesSql;
        this.followedSql = other.followedSql;
        this.countsTogether = other.countsTogether;
        this.countsSql = other.countsSql;
        this.followersOfSql = other.followersOfSql;
        this.cutSql = other.cutSql;
    }

    /**
     * Creates the graph of a table. Logs a warning for each missing index.
     *
     * @throws IllegalArgumentException if the table or a column is missing, has a wrong type, or cannot be read
     */
    public static HostFollowGraph of(Database database, FollowsTable follows) {
        HostTable table = new HostTable("follows", follows.schema(), follows.table());
        HostColumns columns = database.read("store.check", handle -> HostColumns.describe(database, handle, table));
        HostIds follower = new HostIds(columns, follows.follower(), database.dialect());
        HostIds followee = new HostIds(columns, follows.followee(), database.dialect());
        if (!follower.isLike(followee)) {
            throw new IllegalArgumentException("follows needs columns of one kind, but " + follows.follower() + " and "
                    + follows.followee() + " of " + table.qualified() + " have different types");
        }
        HostFollowGraph graph = new HostFollowGraph(database, table, follower, followee);
        graph.probe();
        graph.warn(follows);
        return graph;
    }

    /** Returns the statements that create the missing indexes. */
    public List<String> missingIndexes(FollowsTable follows) {
        return new HostIndexes(database, table, follows, follower, followee).missing();
    }

    /** Logs missing indexes. If the check fails, the store starts nevertheless. */
    private void warn(FollowsTable follows) {
        try {
            missingIndexes(follows)
                    .forEach(statement -> log.warn(
                            "{} lacks an index, so reads of the follow graph scan many rows; create it with: {}",
                            table.qualified(),
                            statement));
        } catch (FeedKitException e) {
            log.warn("cannot read the indexes of {}; missing indexes are not reported", table.qualified(), e);
        }
    }

    private void probe() {
        try {
            followees(follower.exampleId(), "", 1);
            followers(List.of(new FollowerQuery(followee.exampleId(), KeyRange.ALL, "", 1)));
        } catch (StoreUnavailableException e) {
            if (Failures.isRefused(e)) {
                throw new IllegalArgumentException(
                        "follows must name a readable table, but reading " + table.qualified() + " failed: "
                                + e.getMessage(),
                        e);
            }
            throw e;
        }
    }

    @Override
    public FollowGraph joining(PublishTransaction transaction) {
        return transaction instanceof JdbcTransaction own && database.isAt(own.connection())
                ? new HostFollowGraph(this, database.readingIn(own.connection()))
                : this;
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        if (queries.isEmpty()) {
            return List.of();
        }
        return database.read("graph.followers", handle -> {
            List<IdPage> pages = new ArrayList<>(queries.size());
            for (FollowerQuery query : queries) {
                pages.add(followee.parameter(query.author())
                        .map(author -> page(
                                database.query(handle, followersSql)
                                        .bind("author", author)
                                        .bind("lowest", FollowerPages.lowest(query))
                                        .bind("below", query.range().below())
                                        .bind("rows", query.limit() + 1L)
                                        .mapTo(String.class)
                                        .list(),
                                query.limit()))
                        .orElse(EMPTY));
            }
            return List.copyOf(pages);
        });
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        Optional<Object> parameter = follower.parameter(reader);
        if (parameter.isEmpty()) {
            return EMPTY;
        }
        return database.read(
                "graph.followees",
                handle -> page(
                        database.query(handle, followeesSql)
                                .bind("reader", parameter.get())
                                .bind("after", after)
                                .bind("rows", limit + 1L)
                                .mapTo(String.class)
                                .list(),
                        limit));
    }

    /** Makes a page of rows. The table may have several rows for one edge. */
    private static IdPage page(List<String> rows, int limit) {
        IdPage page = FollowerPages.page(rows, limit);
        return new IdPage(page.ids().stream().distinct().toList(), page.more());
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        Optional<Object> parameter = follower.parameter(reader);
        List<String> possible = followee.possible(authors);
        if (parameter.isEmpty() || possible.isEmpty()) {
            return Set.of();
        }
        return database.read("graph.followed", handle -> {
            Set<String> followed = database.query(handle, followedSql, rows(possible))
                    .bind("reader", parameter.get())
                    .mapTo(String.class)
                    .set();
            // A database may treat ids as equal although their bytes differ.
            followed.retainAll(Set.copyOf(possible));
            return Collections.unmodifiableSet(followed);
        });
    }

    private ParameterTable.Rows rows(List<String> ids) {
        ParameterTable.Rows rows = followee.wanted().fill();
        ids.forEach(id -> rows.add(followee.parameter(id).orElseThrow()));
        return rows;
    }

    /**
     * Counts up to ten million. A large count may be some minutes old. Then one caller counts again; if the caller is
     * in a transaction of the host, a background thread does.
     */
    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        Map<String, FollowCounts> known = outside.isPresent() ? recent.known(users) : Map.of();
        Map<String, FollowCounts> counts = new HashMap<>(recent.recent(users));
        outside.ifPresent(graph -> known.keySet().stream()
                .filter(user -> !counts.containsKey(user))
                .forEach(graph::countInBackground));
        counts.putAll(known);
        List<String> asked = followee.possible(
                users.stream().filter(user -> !counts.containsKey(user)).toList());
        if (!asked.isEmpty()) {
            Map<String, FollowCounts> counted = database.read("graph.counts", handle -> counted(handle, asked));
            recent.counted(counted);
            counts.putAll(counted);
        }
        return Collections.unmodifiableMap(counts);
    }

    private void countInBackground(String user) {
        counting.execute(() -> {
            try {
                recent.counted(database.read("graph.counts", handle -> counted(handle, List.of(user))));
            } catch (FeedKitException e) {
                log.debug("cannot count the follows of {} now; a later call counts them", user, e);
            }
        });
    }

    private static ThreadPoolExecutor oneThread() {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "feedkit-follow-counts");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private Map<String, FollowCounts> counted(Handle handle, List<String> users) {
        Map<String, FollowCounts> counts = new HashMap<>();
        if (countsTogether) {
            database.query(handle, countsSql, rows(users))
                    .map((row, context) ->
                            Map.entry(users.get(row.getInt(1) - 1), new FollowCounts(row.getLong(2), row.getLong(3))))
                    .forEach(count -> counts.put(count.getKey(), count.getValue()));
            return counts;
        }
        for (String user : users) {
            counts.put(
                    user,
                    database.query(handle, countsSql)
                            .bind("user", followee.parameter(user).orElseThrow())
                            .map((row, context) -> new FollowCounts(row.getLong(2), row.getLong(3)))
                            .one());
        }
        return counts;
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        return followee.parameter(author)
                .map(parameter -> database.read(
                        "graph.split",
                        handle -> FollowerCuts.ranges(
                                followersOf(handle, parameter),
                                parts,
                                (from, skipped) -> cut(handle, parameter, from, skipped))))
                .orElse(List.of(KeyRange.ALL));
    }

    private long followersOf(Handle handle, Object author) {
        return database.query(handle, followersOfSql)
                .bind("author", author)
                .mapTo(Long.class)
                .one();
    }

    private String cut(Handle handle, Object author, String from, long skipped) {
        return database.query(handle, cutSql)
                .bind("author", author)
                .bind("from", from)
                .bind("skipped", skipped)
                .mapTo(String.class)
                .findOne()
                .orElse(KeyRange.END);
    }
}
