package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Position;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("survival")
@DisplayName("Feeds whose inboxes are in a cluster")
class FailoverFeedTest {

    private static final int READERS = 60;
    private static final int AUTHORS = 12;
    private static final int FOLLOWED = 5;
    private static final int POSTS = 600;
    private static final int KILLED_AFTER = 150;
    private static final int MOVED_AFTER = 400;
    private static final int MOVES = 20;
    private static final int KEYS_AT_A_TIME = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final InMemoryFeedStore truth = InMemoryFeedStore.create();
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(POSTS);
    private final List<Post> published = new ArrayList<>();

    @Test
    @Timeout(300)
    @DisplayName("are what was published, by themselves, after a master was killed and slots moved during fan-out")
    void killedAndMoved() {
        try (RedisCluster cluster = RedisCluster.start(RedisProgram.embedded());
                RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(cluster.uri()))
                        .timeout(TIMEOUT)
                        .build();
                FeedEngine feed = FeedEngine.builder(
                                FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                        .policy(FanoutPolicy.push())
                        .ownPosts(false)
                        .fanout(fanout -> fanout.retryDelay(Duration.ofMillis(200)))
                        .build()) {
            follow(feed);
            publish(feed, KILLED_AFTER);
            RedisServer victim = cluster.nodes().get(0);
            victim.kill();
            long atKill = tasks(feed);
            publish(feed, MOVED_AFTER);
            awaitDone(feed);
            victim.restart();
            cluster.awaitHealthy();
            int amidFanout = move(cluster, feed);
            awaitDone(feed);

            int wrong = wrongFeeds(feed);
            await().atMost(Duration.ofMinutes(1)).until(() -> wrongFeeds(feed) == 0);
            System.out.printf(
                    "%d posts to %d readers each: %d tasks when the master was killed, %d of %d"
                            + " slots moved while there were tasks; %d feeds lacked something at first%n",
                    POSTS, READERS * FOLLOWED / AUTHORS, atKill, amidFanout, MOVES, wrong);
            assertThat(atKill).isPositive();
            assertThat(amidFanout).isPositive();
        }
    }

    private static String reader(int i) {
        return "reader" + i;
    }

    private static String author(int i) {
        return "author" + i % AUTHORS;
    }

    private static boolean follows(int reader, String author) {
        return IntStream.range(reader, reader + FOLLOWED)
                .anyMatch(i -> author(i).equals(author));
    }

    private static void follow(FeedEngine feed) {
        for (int reader = 0; reader < READERS; reader++) {
            for (int i = reader; i < reader + FOLLOWED; i++) {
                feed.follow(reader(reader), author(i));
            }
            // Makes the inbox live.
            feed.read(reader(reader), PageRequest.first(20));
        }
    }

    private void publish(FeedEngine feed, int until) {
        while (published.size() < until) {
            int n = published.size();
            Post post = new Post(author(n), "post" + n, start.plusSeconds(n));
            feed.publish(post);
            published.add(post);
        }
    }

    private static long tasks(FeedEngine feed) {
        return feed.fanout().backlog().tasks();
    }

    /**
     * Moves one slot after the other to another master, each after some posts. Returns how often their fan-out had not
     * ended while the slot was at both masters.
     */
    private int move(RedisCluster cluster, FeedEngine feed) {
        int amidFanout = 0;
        for (int bucket = 0; bucket < MOVES; bucket++) {
            int slot = cluster.slotOf(String.format("feedkit:{%02x}:", bucket));
            RedisServer owner = cluster.owner(slot);
            RedisServer to = cluster.masters().stream()
                    .filter(master -> master.port() != owner.port())
                    .findFirst()
                    .orElseThrow();
            cluster.beginMove(slot, to);
            publish(feed, published.size() + (POSTS - MOVED_AFTER) / MOVES);
            amidFanout += tasks(feed) > 0 ? 1 : 0;
            while (cluster.moveSome(slot, to, KEYS_AT_A_TIME) > 0) {
                // There are more.
            }
            cluster.endMove(slot, owner, to);
        }
        return amidFanout;
    }

    private static void awaitDone(FeedEngine feed) {
        await().atMost(LIMIT)
                .until(() -> tasks(feed) == 0 && feed.fanout().backlog().deadLetters() == 0);
    }

    private int wrongFeeds(FeedEngine feed) {
        return (int) IntStream.range(0, READERS)
                .filter(reader -> {
                    List<Post> expected = published.stream()
                            .filter(post -> follows(reader, post.author()))
                            .sorted((a, b) -> Position.compare(b, a))
                            .toList();
                    return !feed.read(reader(reader), PageRequest.first(PageRequest.MAX_LIMIT))
                            .items()
                            .equals(expected);
                })
                .count();
    }
}
