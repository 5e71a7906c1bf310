package io.feedkit.bench.copies;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.feedkit.Post;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;

/** A table by hand with a row for each post of a reader. */
final class HandEntries {

    private static final int WINDOW = 128;
    private static final int PAGE_ROWS = 2000;
    private static final int TTL = (int) Duration.ofDays(30).toSeconds();
    private static final String TABLE = CopyServer.KEYSPACE + ".hand_entry";

    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement select;

    private HandEntries(CqlSession session) {
        this.session = session;
        insert =
                prepare("INSERT INTO " + TABLE + " (reader, published_at, author, id) VALUES (?, ?, ?, ?) USING TTL ?");
        select = prepare("SELECT published_at, author, id FROM " + TABLE + " WHERE reader = ? LIMIT ?");
    }

    /** Creates the table. */
    static HandEntries create(CopyServer server) {
        server.run("CREATE TABLE " + TABLE + " (reader text, published_at bigint, author text, id text,"
                + " PRIMARY KEY ((reader), published_at, author, id))"
                + " WITH CLUSTERING ORDER BY (published_at DESC, author DESC, id DESC)");
        return new HandEntries(server.session());
    }

    private PreparedStatement prepare(String statement) {
        return session.prepare(SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true)
                .setPageSize(PAGE_ROWS));
    }

    /** Inserts posts one by one, many at a time, and waits for all. */
    void write(String reader, List<Post> posts) {
        Queue<CompletionStage<AsyncResultSet>> sent = new ArrayDeque<>();
        for (Post post : posts) {
            if (sent.size() == WINDOW) {
                await(sent.remove());
            }
            sent.add(session.executeAsync(
                    insert.bind(reader, post.publishedAt().toEpochMilli(), post.author(), post.id(), TTL)));
        }
        sent.forEach(HandEntries::await);
    }

    private static void await(CompletionStage<AsyncResultSet> answer) {
        AsyncResultSet unused = answer.toCompletableFuture().join();
    }

    /** Reads the newest posts of a reader. */
    List<Post> read(String reader, int limit) {
        List<Post> posts = new ArrayList<>();
        session.execute(select.bind(reader, limit))
                .forEach(row -> posts.add(new Post(
                        String.valueOf(row.getString(1)),
                        String.valueOf(row.getString(2)),
                        Instant.ofEpochMilli(row.getLong(0)))));
        return posts;
    }
}
