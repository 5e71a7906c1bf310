package io.feedkit.jdbc.internal.graph;

import static java.util.Comparator.comparing;

import io.feedkit.FollowCounts;
import io.feedkit.PublishTransaction;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.IdWalk;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/**
 * The follow graph. An edge is a row with two unique indexes, one by reader and one by author. A page of followees or
 * followers is read from one of them, starting after the previous page. The counts of a user are a row.
 */
public final class JdbcFollowGraph implements WritableFollowGraph {

    private static final Comparator<Edge> BY_KEY = comparing(Edge::reader).thenComparing(Edge::author);

    private final Database database;
    private final Dialect dialect;
    private final EdgeWriter writer;
    private final FollowerPages pages;
    private final ParameterTable users = ParameterTable.named("u").text("user_id");
    private final IdWalk userWalk;
    private final EdgeRecount recount;
    private final FolloweePages followees;
    private final String followedSql;
    private final String countsSql;
    private final String followersOfSql;
    private final String cutSql;

    /** Creates a graph in the tables {@code follow} and {@code follow_count}. */
    public JdbcFollowGraph(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.writer =
                dialect == Dialect.POSTGRESQL ? new PostgresEdgeWriter(database) : new LockingEdgeWriter(database);
        this.pages = new FollowerPages(database);
        userWalk = IdWalk.ofUnique(database, "graph.forEachUser", "${follow_count}", "user_id");
        recount = new EdgeRecount(database);
        String join = users.source(dialect) + dialect.join();
        followees = new FolloweePages(database);
        followedSql = database.sql(
                "SELECT f.author FROM " + join + " ${follow} f ON f.reader = :reader AND f.author = u.user_id");
        countsSql = database.sql("SELECT c.user_id, c.followers, c.followees FROM " + join
                + " ${follow_count} c ON c.user_id = u.user_id");
        followersOfSql = database.sql("SELECT followers FROM ${follow_count} WHERE user_id = :user");
        cutSql = database.sql("SELECT reader FROM ${follow} WHERE author = :author AND reader >= :from"
                + " ORDER BY author, reader LIMIT 1 OFFSET :skipped");
    }

    /** Creates the same graph, but reads counts and followees through another database. */
    private JdbcFollowGraph(JdbcFollowGraph other, Database database) {
        this.database = database;
        this.dialect = other.dialect;
        this.writer = other.writer;
        this.pages = other.pages;
        this.userWalk = other.userWalk;
        this.recount = other.recount;
        this.followees = other.followees;
        this.followedSql = other.followedSql;
        this.countsSql = other.countsSql;
        this.followersOfSql = other.followersOfSql;
        this.cutSql = other.cutSql;
    }

    @Override
    public FollowGraph joining(PublishTransaction transaction) {
        return transaction instanceof JdbcTransaction own && database.isAt(own.connection())
                ? new JdbcFollowGraph(this, database.readingIn(own.connection()))
                : this;
    }

    @Override
    public List<Boolean> add(List<Edge> edges) {
        return written(edges, writer::add);
    }

    @Override
    public List<Boolean> remove(List<Edge> edges) {
        return written(edges, writer::remove);
    }

    @Override
    public List<Redirection> redirect(List<Edge> edges, String author) {
        if (edges.isEmpty()) {
            return List.of();
        }
        Set<Edge> distinct = new TreeSet<>(BY_KEY);
        distinct.addAll(edges);
        Map<Edge, Redirection> found = writer.redirect(distinct, author);
        return edges.stream()
                .map(edge -> found.getOrDefault(edge, Redirection.ABSENT))
                .toList();
    }

    /** If an edge occurs twice, the first occurrence takes effect. */
    private static List<Boolean> written(List<Edge> edges, Function<Collection<Edge>, Set<Edge>> write) {
        if (edges.isEmpty()) {
            return List.of();
        }
        Set<Edge> distinct = new TreeSet<>(BY_KEY);
        distinct.addAll(edges);
        Set<Edge> effective = write.apply(distinct);
        List<Boolean> answers = new ArrayList<>(edges.size());
        edges.forEach(edge -> answers.add(effective.remove(edge)));
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return queries.isEmpty() ? List.of() : pages.of(queries);
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        return followees.of(database, reader, after, limit);
    }

    @Override
    public List<IdPage> followees(List<String> readers, int limit) {
        return readers.isEmpty() ? List.of() : followees.of(database, readers, limit);
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        if (authors.isEmpty()) {
            return Set.of();
        }
        return database.read(
                "graph.followed",
                handle -> Collections.unmodifiableSet(database.query(handle, followedSql, users.ofIds(authors))
                        .bind("reader", reader)
                        .mapTo(String.class)
                        .set()));
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        if (users.isEmpty()) {
            return Map.of();
        }
        return database.read("graph.counts", handle -> {
            Map<String, FollowCounts> counts = new HashMap<>();
            database.query(handle, countsSql, this.users.ofIds(users))
                    .map((row, context) ->
                            Map.entry(row.getString(1), new FollowCounts(row.getLong(2), row.getLong(3))))
                    .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
            return Collections.unmodifiableMap(counts);
        });
    }

    @Override
    public void forEachUser(Predicate<List<String>> visitor) {
        userWalk.each(visitor);
    }

    @Override
    public void recount(Collection<String> users) {
        users.forEach(recount::of);
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        return database.read(
                "graph.split",
                handle -> FollowerCuts.ranges(
                        followersOf(handle, author), parts, (from, skipped) -> cut(handle, author, from, skipped)));
    }

    private long followersOf(Handle handle, String author) {
        return database.query(handle, followersOfSql)
                .bind("user", author)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    private String cut(Handle handle, String author, String from, long skipped) {
        return database.query(handle, cutSql)
                .bind("author", author)
                .bind("from", from)
                .bind("skipped", skipped)
                .mapTo(String.class)
                .findOne()
                .orElse(KeyRange.END);
    }
}
