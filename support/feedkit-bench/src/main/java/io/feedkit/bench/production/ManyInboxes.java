package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.redis.internal.inbox.DeliveryBridge;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Very many readers with inboxes. Readers of one group follow the same authors. The engine builds the inbox of the
 * first reader of each group; the others get copies of it, because an inbox holds no reader's name. An author has a
 * thousand followers, or fewer if there are few readers.
 *
 * @param readers how many readers
 * @param followees how many authors each follows
 * @param each how many posts each author has
 */
record ManyInboxes(int readers, int followees, int each) {

    private static final int READERS_OF_GROUP = 200;
    private static final int LEAST_GROUPS = 10;
    private static final int FOLLOWERS = 1000;
    private static final int LEAST_SETS = 10;
    private static final int COPIES_AT_ONCE = 2000;
    private static final String AUTHOR = "author";
    private static final String PREFIX = "feedkit";
    private static final long STEP_MILLIS = Duration.ofHours(1).toMillis();
    private static final long LONGEST_SECONDS = 60;

    static String reader(int number) {
        return String.format("r%08d", number);
    }

    private int groups() {
        return Math.max(LEAST_GROUPS, readers / READERS_OF_GROUP);
    }

    private int authors() {
        return (int) Math.max((long) LEAST_SETS * followees, (long) readers * followees / FOLLOWERS);
    }

    void into(Shape shape, FeedEngine engine) {
        BenchDatabase database = shape.database();
        long newest = System.currentTimeMillis() - STEP_MILLIS;
        new TimedPosts(AUTHOR, authors(), "p", each, newest, STEP_MILLIS).into(database);
        follow(database);
        database.settle("post", "follow", "follow_count");
        Followers.visit(
                engine,
                IntStream.range(0, groups()).mapToObj(ManyInboxes::reader).toList());
        try (StatefulRedisConnection<byte[], byte[]> connection = shape.redis().connect(ByteArrayCodec.INSTANCE)) {
            for (int group = 0; group < groups(); group++) {
                copy(connection, group);
            }
        }
    }

    private void follow(BenchDatabase database) {
        database.run("""
                INSERT INTO ${follow} (reader, author)
                SELECT 'r' || lpad(n::text, 8, '0'),
                    '%1$s' || lpad(((n %% %2$d * %3$d + k) %% %4$d)::text, 6, '0')
                FROM generate_series(0, %5$d - 1) n, generate_series(0, %3$d - 1) k
                ORDER BY n""".formatted(AUTHOR, groups(), followees, authors(), readers));
        database.run("INSERT INTO ${follow_count} (user_id, followers, followees)"
                + " SELECT author, count(*), 0 FROM ${follow} GROUP BY author");
        database.run("INSERT INTO ${follow_count} (user_id, followers, followees)"
                + " SELECT reader, 0, count(*) FROM ${follow} GROUP BY reader");
    }

    private void copy(StatefulRedisConnection<byte[], byte[]> connection, int group) {
        byte[] key = DeliveryBridge.keys(PREFIX, List.of(reader(group))).get(0);
        byte[] inbox = connection.sync().dump(key);
        RestoreArgs window = new RestoreArgs().ttl(connection.sync().pttl(key));
        List<String> others = new ArrayList<>();
        for (int reader = group + groups(); reader < readers; reader += groups()) {
            others.add(reader(reader));
        }
        List<byte[]> keys = DeliveryBridge.keys(PREFIX, others);
        for (int from = 0; from < keys.size(); from += COPIES_AT_ONCE) {
            List<RedisFuture<String>> answers =
                    keys.subList(from, Math.min(keys.size(), from + COPIES_AT_ONCE)).stream()
                            .map(copy -> connection.async().restore(copy, inbox, window))
                            .toList();
            answers.forEach(ManyInboxes::await);
        }
    }

    private static void await(RedisFuture<String> answer) {
        String unused = answer.toCompletableFuture()
                .orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
