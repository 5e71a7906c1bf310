package io.feedkit.bench.redis;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** How long one call can hold the server, which does nothing else meanwhile: by the server's own slow log, each kind of call as large as the store ever makes it, where it takes longest. */
final class LongestScript implements Measurement {

    private static final String SHORTEST_LOGGED_MICROS = "20";
    private static final int TIMES_A_ROUND = 20;
    private static final int READERS = 100;
    private static final int PUBLICATIONS = 50;
    private static final int CLAIMS = 100;
    private static final int PAGE = 5000;
    private static final long LEASE_MILLIS = 60_000;
    private static final double MICROS = 1000;

    @Override
    public String name() {
        return "scripts";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int times = TIMES_A_ROUND * scale.rounds();
        List<Figure> figures = new ArrayList<>();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII)) {
            connection.sync().configSet("slowlog-max-len", "100000");
            connection.sync().configSet("slowlog-log-slower-than", SHORTEST_LOGGED_MICROS);
            Inbox inbox = store.inbox(FullInboxes.LIMITS);
            FullInboxes.fill(inbox, READERS);
            Runs runs = new Runs(connection, times, figures);
            inboxes(runs, inbox);
            truth(runs, store.outbox());
            graph(runs, store.graph());
        }
        return figures;
    }

    private void inboxes(Runs runs, Inbox inbox) {
        List<String> readers =
                IntStream.range(0, READERS).mapToObj(MadeUpGraph::user).toList();
        List<Post> posts = FullInboxes.posts(FullInboxes.LIMITS.cap());
        long middle = posts.get(posts.size() / 2).publishedAt().toEpochMilli();
        runs.of("a delivery to 100 full inboxes, in order", n -> {
            Post post = Post.of("author", FullInboxes.nextId(n), System.currentTimeMillis());
            inbox.deliver(List.of(new Delivery(post, readers, 0)));
        });
        runs.of("a delivery to 100 full inboxes, amid what they hold", n -> {
            Post post = Post.of("author", FullInboxes.nextId(n), middle + n);
            inbox.deliver(List.of(new Delivery(post, readers, 0)));
        });
        runs.of("a retraction from 100 full inboxes", n -> {
            Post post = Post.of("author", FullInboxes.nextId(n), middle + n);
            inbox.retract(List.of(new Retraction(post, readers)));
        });
        runs.of(
                "a slice of 1000",
                n -> inbox.slice(List.of(new SliceQuery(
                        readers.get(n % READERS),
                        PositionRange.ALL,
                        Order.NEWEST_FIRST,
                        FullInboxes.LIMITS.cap(),
                        true))));
        runs.of("an inbox of 1000 merged with 1000", n -> {
            String reader = readers.get(n % READERS);
            long generation = inbox.open(reader, LEASE_MILLIS, true).generation();
            inbox.merge(reader, generation, posts, Position.of(posts.get(0)));
            inbox.merge(reader, generation, posts, Position.of(posts.get(0)));
            inbox.complete(reader, generation, 1);
        });
        runs.of("the posts of an author taken out of 1000", n -> {
            String reader = readers.get(n % READERS);
            String author = FullInboxes.authors().get(n % FullInboxes.authors().size());
            inbox.purge(reader, author, inbox.recordUnfollow(reader, author));
        });
    }

    private void truth(Runs runs, Outbox outbox) {
        List<Post> posts = new ArrayList<>();
        outbox.pulled().put(List.of(Post.of("author", "unpushed", 0)));
        outbox.pulled().snapshot();
        outbox.newest(List.of("author"), PositionRange.ALL, 1);
        runs.of("50 posts of an author who has a head", n -> {
            List<Post> some = IntStream.range(0, PUBLICATIONS)
                    .mapToObj(i -> Post.of("author", FullInboxes.nextId(n * PUBLICATIONS + i), 1000L * n + i))
                    .toList();
            posts.addAll(some);
            outbox.append(some.stream()
                    .map(post -> new Publication(post, FanoutMode.PUSH))
                    .toList());
        });
        List<List<Claim>> claims = new ArrayList<>();
        runs.of("100 tasks claimed", n -> claims.add(outbox.fanout().claim(CLAIMS, LEASE_MILLIS)));
        runs.of("100 tasks finished", n -> outbox.fanout().finish(claims.get(n), LEASE_MILLIS));
        runs.of("100 finished tasks done again, 100 at a time", n -> {
            if (n == 0) {
                outbox.fanout().reopen(0);
            }
        });
        runs.of("50 posts of an author deleted", n -> {
            List<PostKey> some = posts.subList(n * PUBLICATIONS, (n + 1) * PUBLICATIONS).stream()
                    .map(Post::key)
                    .toList();
            outbox.delete(some);
        });
    }

    private void graph(Runs runs, WritableFollowGraph graph) {
        runs.of(
                "100 followers at a time",
                n -> graph.add(IntStream.range(0, 2 * PAGE / TIMES_A_ROUND)
                        .mapToObj(i -> new Edge(MadeUpGraph.user(n * 2 * PAGE / TIMES_A_ROUND + i), "author"))
                        .toList()));
        runs.of(
                "a page of 5000 followers",
                n -> graph.followers(List.of(new FollowerQuery("author", KeyRange.ALL, "", PAGE - 1))));
    }

    /** Makes calls often, and sees how long they held the server. */
    private final class Runs {

        private final StatefulRedisConnection<String, String> connection;
        private final int times;
        private final List<Figure> figures;

        Runs(StatefulRedisConnection<String, String> connection, int times, List<Figure> figures) {
            this.connection = connection;
            this.times = times;
            this.figures = figures;
        }

        void of(String what, IntConsumer call) {
            connection.sync().slowlogReset();
            IntStream.range(0, times).forEach(call);
            List<Long> micros = connection.sync().slowlogGet(-1).stream()
                    .map(entry -> (List<?>) entry)
                    .filter(LongestScript::isCall)
                    .map(entry -> (Long) entry.get(2))
                    .sorted()
                    .toList();
            if (micros.isEmpty()) {
                throw new IllegalStateException(what + ": nothing took " + SHORTEST_LOGGED_MICROS + " us");
            }
            double longest = micros.get(micros.size() - 1) / MICROS;
            double median = micros.get(micros.size() / 2) / MICROS;
            figures.add(new Figure(
                    name() + ": " + what + ", the longest (against the median)", "ms", longest, median, Target.NONE));
        }
    }

    /** Scripts, and commands of the store's that are no part of one. */
    private static boolean isCall(List<?> entry) {
        String command = String.valueOf(((List<?>) entry.get(3)).get(0)).toUpperCase(Locale.ROOT);
        boolean ofScript = "?:0".equals(entry.get(4));
        return !ofScript && (command.equals("EVALSHA") || command.startsWith("Z"));
    }
}
