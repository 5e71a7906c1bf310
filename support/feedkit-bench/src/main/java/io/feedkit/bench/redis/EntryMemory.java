package io.feedkit.bench.redis;

import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.ground.KeyMemory;
import io.feedkit.bench.redis.hand.HandPipeline;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The server's memory for an entry of a full inbox, author and time included, against a sorted set of the ids alone.
 * Also the memory of posts, edges and tasks.
 */
final class EntryMemory implements Measurement {

    private static final int PART = 5000;
    private static final int FEWEST = 200;
    private static final int TENTH = 10;
    private static final int AT_ONCE = 1000;
    private static final long LEASE_MILLIS = 600_000;

    /** The index of the kind in a key, after prefix and hash tag. */
    private static final int KIND = 2;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(FEWEST, scale.followers() / PART);
        List<String> ids =
                IntStream.range(0, readers).mapToObj(MadeUpGraph::user).toList();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisInboxes inboxes = redis.inboxes();
                HandPipeline<String> hand = HandPipeline.plain(redis, ids);
                StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII)) {
            Inbox inbox = inboxes.inbox(FullInboxes.LIMITS);
            inbox.deliver(List.of());
            double entries = (double) readers * FullInboxes.LIMITS.cap();
            long before = used(connection);
            FullInboxes.fillToCap(inbox, readers);
            long between = used(connection);
            hand.fill(FullInboxes.posts(FullInboxes.LIMITS.cap()));
            long after = used(connection);
            Medians bytes = new Medians((between - before) / entries, (after - between) / entries);
            List<Figure> figures = new ArrayList<>();
            figures.add(
                    figure("an entry of an inbox of 1000 (against a sorted set of ids)", bytes, new Target.AtMost(28)));
            figures.addAll(truth(Math.max(FEWEST, readers / TENTH), bytes.value()));
            return figures;
        }
    }

    /** The memory of posts, of tasks in each state, and of edges: authors with a thousand of each. */
    private List<Figure> truth(int authors, double entry) {
        List<Figure> figures = new ArrayList<>();
        int each = FullInboxes.LIMITS.cap();
        double count = (double) authors * each;
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store()) {
            Outbox outbox = store.outbox();
            for (int i = 0; i < authors; i++) {
                String author = MadeUpGraph.user(i);
                outbox.append(FullInboxes.posts(each).stream()
                        .map(post ->
                                Post.of(author, post.id(), post.publishedAt().toEpochMilli()))
                        .map(post -> new Publication(post, FanoutMode.PUSH))
                        .toList());
            }
            figures.add(beside("a post of an author with 1000", redis, entry, count, "posts", "last"));
            figures.add(beside("a task that waits", redis, entry, count, "fresh"));
            FanoutLog log = outbox.fanout();
            List<Claim> claims = log.claim(AT_ONCE, LEASE_MILLIS);
            figures.add(beside("a task on lease", redis, entry, claims.size(), "tasks", "queue", "open"));
            log.finish(claims, LEASE_MILLIS);
            figures.add(beside("a finished task, until the replay horizon", redis, entry, claims.size(), "done"));
            for (int i = 0; i < each; i++) {
                String reader = FullInboxes.nextId(i);
                store.graph()
                        .add(IntStream.range(0, authors)
                                .mapToObj(author -> new Edge(reader, MadeUpGraph.user(author)))
                                .toList());
            }
            figures.add(beside("an edge", redis, entry, count, "followers", "followees", "edges"));
        }
        return figures;
    }

    private Figure beside(String what, BenchRedis redis, double entry, double count, String... kinds) {
        long bytes = KeyMemory.bytes(redis, key -> Set.of(kinds).contains(key.split(":", KIND + 2)[KIND]));
        return figure(what + " (against an entry)", new Medians(bytes / count, entry), Target.NONE);
    }

    private Figure figure(String what, Medians bytes, Target target) {
        return Figure.of(name() + ": " + what, "bytes", bytes, target);
    }

    private static long used(StatefulRedisConnection<String, String> connection) {
        return connection
                .sync()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}
