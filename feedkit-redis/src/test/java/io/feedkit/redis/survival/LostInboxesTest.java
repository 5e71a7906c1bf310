package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Threads;
import io.feedkit.testservers.survival.Walks;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class LostInboxesTest {

    private static final int FLUSHES = Rounds.of(3);
    private static final int EVICTIONS = Rounds.of(30);
    private static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
    private static final int CROWD = 10;

    private final InMemoryFeedStore truth = InMemoryFeedStore.create();

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName(
            "a Redis that holds inboxes alone loses them all, and all readers return at once: each inbox is built once")
    void flushed(Engines engines) throws Exception {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Admin admin = new Admin(server.port());
                Scenario scenario = Scenario.start(engines, () -> Nodes.withInboxesAt(server.port(), truth))) {
            Random random = new Random(6);
            int readers = scenario.members().readers().size();
            for (int flush = 1; flush <= FLUSHES; flush++) {
                Rounds.moment(random, 500);
                admin.commands().flushall();
                returnAtOnce(scenario);
                // If a builder is too slow for its lease, another one builds the inbox as well.
                assertThat(rebuilds(scenario)).isBetween((flush + 1) * readers, (flush + 1) * readers + readers / 10);
            }
            scenario.finish("inboxes flushed=" + FLUSHES + " times, built=" + rebuilds(scenario) + " (of them at first="
                    + readers + ")");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("single keys of inboxes are evicted again and again, while readers follow and leave: no"
            + " feed is ever shorter")
    void evicted(Engines engines) throws Exception {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Admin admin = new Admin(server.port());
                RedisInboxes inboxes =
                        RedisInboxes.create(RedisServers.at(RedisURI.create("127.0.0.1", server.port())));
                Scenario scenario = Scenario.start(engines, () -> Nodes.withInboxesAt(server.port(), truth));
                Threads churn = new Threads()) {
            AtomicInteger follows = new AtomicInteger();
            churn.start(() -> followAndLeave(scenario, churn, follows));
            Evictions evictions = new Evictions(admin, scenario);
            Inbox unfinished = inboxes.inbox(LIMITS);
            for (int n = 0; n < EVICTIONS; n++) {
                evictions.beginFollow(unfinished);
                evictions.evict("inbox");
                evictions.evict("notes");
            }
            churn.finish();
            evictions.leave();
            scenario.finish("keys evicted=" + evictions + ", follows and unfollows=" + follows + ", inboxes built="
                    + rebuilds(scenario));
            evictions.check();
        }
    }

    /** Some threads of each engine, each of which walks through the feeds of all readers. */
    private static void returnAtOnce(Scenario scenario) throws Exception {
        List<String> readers = scenario.members().readers();
        CyclicBarrier together = new CyclicBarrier(CROWD);
        try (Threads crowd = new Threads()) {
            for (int n = 0; n < CROWD; n++) {
                Node node = scenario.nodes().get(n % scenario.nodes().size());
                crowd.start(() -> {
                    for (String reader : readers) {
                        await(together);
                        Walks.plain(node.engine(), reader);
                    }
                });
            }
            crowd.finish();
        }
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("the readers did not all come", e);
        }
    }

    /** Readers follow another author, and leave again. */
    private static void followAndLeave(Scenario scenario, Threads churn, AtomicInteger follows) {
        Random random = new Random(8);
        List<String> readers = scenario.members().readers();
        while (churn.goOn()) {
            FeedEngine feed = scenario.nodes()
                    .get(random.nextInt(scenario.nodes().size()))
                    .engine();
            String reader = readers.get(random.nextInt(readers.size()));
            Post post = Post.of("eve", "e" + follows.get(), System.currentTimeMillis());
            scenario.truth().asks(post.key());
            feed.follow(reader, post.author());
            scenario.truth().published(feed.publish(post).post());
            feed.unfollow(reader, post.author());
            follows.incrementAndGet();
        }
    }

    private static int rebuilds(Scenario scenario) {
        return scenario.nodes().stream().mapToInt(Node::rebuilds).sum();
    }
}
