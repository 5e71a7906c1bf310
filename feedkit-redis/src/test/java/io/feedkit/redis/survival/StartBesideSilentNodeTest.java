package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node keeps its connections, and does not answer. It has the key of formats and identities. */
@Tag("survival")
@Timeout(120)
@DisplayName("An engine that starts while a node of the cluster is silent")
class StartBesideSilentNodeTest {

    private static final List<String> READERS =
            IntStream.range(0, 12).mapToObj(i -> "reader" + i).toList();

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Longer than a test, so that no replica takes the node's place. */
    private final RedisCluster cluster = RedisCluster.start(RedisProgram.embedded(), "--cluster-node-timeout", "60000");

    private final RedisServer node = cluster.owner(cluster.slotOf("feedkit:{t0}:format"));
    private final InMemoryFeedStore truth = InMemoryFeedStore.create();
    private final Set<String> fromInbox = ConcurrentHashMap.newKeySet();
    private final List<Post> published = new ArrayList<>();

    @AfterEach
    void close() {
        node.thaw();
        cluster.close();
    }

    @Test
    @DisplayName("serves all readers from the outboxes, and connects to the inboxes as soon as the node answers")
    void servesAndRecovers() {
        truth.graph()
                .add(READERS.stream().map(reader -> new Edge(reader, "star")).toList());
        try (RedisInboxes connected = inboxes().build()) {
            node.freeze();
            try (RedisInboxes deferred = inboxes().startWithoutServer(true).build();
                    FeedEngine first = engine(connected);
                    FeedEngine second = engine(deferred)) {
                List<FeedEngine> engines = List.of(first, second);
                awaitFailedAttempt(deferred);
                engines.forEach(this::publish);
                engines.forEach(this::assertServed);
                assertThat(fromInbox).as("pages of inboxes").isEmpty();
                node.thaw();
                engines.forEach(this::awaitInboxes);
                engines.forEach(this::publish);
                await().atMost(SOON).until(() -> first.fanout().backlog().tasks() == 0);
                fromInbox.clear();
                engines.forEach(this::assertServed);
                assertThat(fromInbox).containsExactlyInAnyOrderElementsOf(READERS);
            }
        }
    }

    /** Waits for an attempt to connect that failed after the one of the builder. */
    private static void awaitFailedAttempt(RedisInboxes deferred) {
        Inbox inbox = deferred.inbox(new InboxLimits(10, 60_000));
        Set<Throwable> failures = new HashSet<>();
        await().atMost(SOON).until(() -> {
            StoreUnavailableException outage =
                    catchThrowableOfType(StoreUnavailableException.class, inbox::deliveriesSafeSince);
            failures.add(outage.getCause().getCause());
            return failures.size() > 1;
        });
    }

    /** An attempt to connect takes several time-outs. */
    private RedisInboxes.Builder inboxes() {
        return RedisInboxes.builder(RedisServers.at(cluster.uri())).timeout(Duration.ofSeconds(1));
    }

    private FeedEngine engine(RedisInboxes inboxes) {
        return FeedEngine.builder(FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
                .policy(FanoutPolicy.push())
                .ownPosts(false)
                .workers(1)
                .listener(new FeedListener() {
                    @Override
                    public void read(FeedRead event) {
                        if (event.fromInbox() > 0) {
                            fromInbox.add(event.reader());
                        }
                    }
                })
                .build();
    }

    private void publish(FeedEngine feed) {
        published.add(0, feed.publish("star", "post" + published.size()).post());
    }

    private static List<Post> page(FeedEngine feed, String reader) {
        return feed.read(reader, PageRequest.first(100)).items();
    }

    private void assertServed(FeedEngine feed) {
        for (String reader : READERS) {
            assertThat(page(feed, reader)).as(reader).containsExactlyInAnyOrderElementsOf(published);
        }
    }

    private void awaitInboxes(FeedEngine feed) {
        fromInbox.clear();
        await().atMost(SOON).until(() -> {
            assertServed(feed);
            return fromInbox.containsAll(READERS);
        });
    }
}
