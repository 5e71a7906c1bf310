package io.feedkit.jdbc.internal.outbox;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Rows;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.AuthorHead;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Where posts are read from: the one place that knows which table they are in. */
final class PostSource {

    private static final Rows AUTHORS = Rows.named("k").text("author");

    private final Database database;
    private final AuthorPosts posts;
    private final String existing;
    private final String heads;

    /** Posts in the table of a host's, if one is given, or in FeedKit's ledger. */
    PostSource(Database ledger, Optional<HostPosts> host) {
        this.database = host.map(HostPosts::database).orElse(ledger);
        this.posts = switch (ledger.dialect()) {
            case POSTGRESQL, MYSQL -> new LateralPosts(database);
            case H2, MARIADB -> new UnionPosts(database);
        };
        String join = database.dialect().isMySql() ? " STRAIGHT_JOIN " : " JOIN ";
        String authors = AUTHORS.source(database.dialect());
        String summary = "SELECT k.author, count(p.published_at) AS posts, max(p.appended_at) AS appended FROM ";
        String grouped = summary + authors + join
                + "${post} p ON p.author = k.author GROUP BY k.author HAVING max(p.appended_at) IS NOT NULL";
        String lateral = "SELECT k.author, h.posts, h.appended FROM " + authors
                + " CROSS JOIN LATERAL (SELECT count(p.published_at) AS posts, max(p.appended_at) AS appended FROM ${post} p"
                + " WHERE p.author = k.author) h WHERE h.appended IS NOT NULL";
        heads = host.isPresent()
                ? database.sql("SELECT k.author, (SELECT count(*) FROM ${post} p WHERE p.author = k.author) AS posts, ")
                        + ledger.sql(
                                "(SELECT max(t.appended_at) FROM ${post} t WHERE t.author = k.author) AS appended FROM ")
                        + authors
                : database.sql(database.dialect() == Dialect.POSTGRESQL ? lateral : grouped);
        existing = database.sql("SELECT p.author, p.id FROM " + KeyRows.KEYS.source(database.dialect())
                + join
                + "${post} p ON p.author = k.author AND p.id = k.id WHERE p.published_at IS NOT NULL");
    }

    Set<PostKey> existing(Handle handle, Collection<PostKey> keys) {
        return KeyRows.keys(keys)
                .bindTo(database.query(handle, existing), database.dialect())
                .map((row, context) -> KeyRows.key(row))
                .collect(toUnmodifiableSet());
    }

    /** The first posts of each author. */
    List<List<Post>> newest(Handle handle, List<String> authors, PositionRange range, int each) {
        return posts.first(handle, authors, range, Order.NEWEST_FIRST, each).stream()
                .map(Collections::unmodifiableList)
                .toList();
    }

    List<Post> page(Handle handle, PageQuery query) {
        return List.copyOf(posts.page(handle, query));
    }

    /** Summaries; first the times, then the posts, so that a post whose time is known is among them. */
    Map<String, AuthorHead> heads(Handle handle, Collection<String> authors, int newest) {
        Map<String, AuthorHead> summaries = new LinkedHashMap<>();
        Rows.Filled rows = AUTHORS.fill();
        authors.stream().distinct().forEach(rows::add);
        rows.bindTo(database.query(handle, heads), database.dialect())
                .map((row, context) -> Map.entry(
                        row.getString("author"),
                        new AuthorHead(row.getLong("posts"), row.getLong("appended"), List.of())))
                .filter(head -> head.getValue().count() > 0 || head.getValue().lastAppended() > 0)
                .forEach(head -> summaries.put(head.getKey(), head.getValue()));
        if (newest == 0) {
            return Collections.unmodifiableMap(summaries);
        }
        List<List<Post>> posts = newest(handle, List.copyOf(summaries.keySet()), PositionRange.ALL, newest);
        Map<String, AuthorHead> heads = new HashMap<>();
        Iterator<List<Post>> next = posts.iterator();
        summaries.forEach((author, summary) ->
                heads.put(author, new AuthorHead(summary.count(), summary.lastAppended(), next.next())));
        return Collections.unmodifiableMap(heads);
    }
}
