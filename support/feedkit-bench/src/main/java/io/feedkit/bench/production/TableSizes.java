package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.jdbc.BenchDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The size of rows with their indexes, right after they were written, with ids of 19 characters. */
final class TableSizes implements Measurement {

    private static final int AUTHORS = 100;
    private static final int ROWS_PART = 100;
    private static final String AUTHOR = "author1234567";
    private static final String READER = "reader1234567";
    private static final String POST = "post123";
    private static final long AGE_MILLIS = Duration.ofDays(40).toMillis();
    private static final long STEP_MILLIS = 60_000;

    @Override
    public String name() {
        return "size";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int each = Math.max(1, scale.followers() / ROWS_PART / AUTHORS);
        try (Shape shape = Shape.production();
                FeedEngine engine = shape.engine()
                        .workers(0)
                        .archiving(archiving -> archiving.postsPerSecond(Integer.MAX_VALUE))
                        .build()) {
            BenchDatabase database = shape.database();
            makeTables(database);
            new TimedPosts(AUTHOR, AUTHORS, POST, each, System.currentTimeMillis() - AGE_MILLIS, STEP_MILLIS)
                    .into(database);
            database.run("INSERT INTO ${hand_post} SELECT author, id, published_at FROM ${post}");
            shape.follow(followers(each));
            database.run("INSERT INTO ${hand_follow} SELECT reader, author FROM ${follow}");
            double post = database.bytesOfRow("post");
            long moved = engine.archivePosts();
            if (moved != (long) AUTHORS * each) {
                throw new IllegalStateException(AUTHORS * each + " posts must move, but " + moved + " did");
            }
            return List.of(
                    figure("a post in the outbox", post, database.bytesOfRow("hand_post")),
                    figure(
                            "a post in the archive",
                            shape.archiveDatabase().bytesOfRow("archive_post"),
                            database.bytesOfRow("hand_post")),
                    figure("a follow", database.bytesOfRow("follow"), database.bytesOfRow("hand_follow")));
        }
    }

    private Figure figure(String what, double bytes, double byHand) {
        return new Figure(
                name() + ": " + what + " (against a row with a primary key and an index)",
                "bytes",
                bytes,
                byHand,
                Target.NONE);
    }

    private static void makeTables(BenchDatabase database) {
        database.createTable(
                "hand_post", "(author varchar(64), id varchar(64), published_at bigint, PRIMARY KEY (author, id))");
        database.run("CREATE INDEX ON ${hand_post} (author, published_at, id)");
        database.createTable(
                "hand_follow", "(follower varchar(64), followee varchar(64), PRIMARY KEY (follower, followee))");
        database.run("CREATE INDEX ON ${hand_follow} (followee, follower)");
    }

    private static Map<String, Set<String>> followers(int each) {
        Map<String, Set<String>> followers = new HashMap<>();
        for (int author = 0; author < AUTHORS; author++) {
            Set<String> readers = new HashSet<>();
            for (int reader = 0; reader < each; reader++) {
                readers.add(TimedPosts.author(READER, reader));
            }
            followers.put(TimedPosts.author(AUTHOR, author), readers);
        }
        return followers;
    }
}
