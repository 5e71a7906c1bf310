package io.feedkit.jdbc.internal.posts;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Reads posts. Only this class knows which table contains them. */
public final class PostSource {

    private final Database all;
    private final PostReader posts;
    private final PostCounter counts;
    private final String existing;

    /**
     * Creates the source of the posts in a database.
     *
     * @param database the database whose {@code post} is the table that readers see
     * @param all the same database, including posts dated in the future
     */
    public PostSource(Database database, Database all) {
        this.all = all;
        this.posts = switch (database.dialect()) {
            case POSTGRESQL, MYSQL -> new LateralPostReader(database);
            case H2 -> new TwoStepPostReader(database);
            case MARIADB -> new UnionPostReader(database);
        };
        counts = new PostCounter(database);
        // With published_at IS NOT NULL, H2 would use the index by time, and read all posts of the author.
        existing = all.sql("SELECT p.author, p.id, p.published_at FROM " + PostRows.KEYS.source(all.dialect())
                + all.dialect().join()
                + "${post} p ON p.author = k.author AND p.id = k.id");
    }

    /** Returns the posts with some keys, without tombstones. */
    public Map<PostKey, Post> existing(Handle handle, Collection<PostKey> keys) {
        return all.query(handle, existing, PostRows.keys(keys)).map((row, context) -> PostRows.known(row)).stream()
                .flatMap(Optional::stream)
                .collect(toUnmodifiableMap(Post::key, post -> post, (one, other) -> one));
    }

    /** Returns the first posts of each author. */
    public List<List<Post>> newest(Handle handle, List<String> authors, PositionRange range, int each) {
        return posts.first(handle, authors, range, Order.NEWEST_FIRST, each).stream()
                .map(Collections::unmodifiableList)
                .toList();
    }

    /** Returns the first posts of all authors together. */
    public List<Post> page(Handle handle, PageQuery query) {
        return List.copyOf(posts.page(handle, query));
    }

    /** Returns the number of posts of each query's authors in its range, up to its limit, and the posts to read. */
    public List<Counted> count(Handle handle, List<CountQuery> queries) {
        return counts.count(handle, queries);
    }
}
