package io.feedkit.testservers.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedKitException;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.List;

/** Checks the promises that must hold when all tasks are done, whatever happened before. */
public final class FinalCheck {

    /**
     * The longest time until fewer tasks are left than ever before. The time for all tasks is not bounded: if each
     * write is flushed, it depends on the disk.
     */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final Duration STALENESS = FeedEngineBuilder.DEFAULT_STALENESS.plusMillis(100);

    private FinalCheck() {}

    /**
     * Waits until all tasks are done, then compares every reader's whole walk with the oracle.
     *
     * @param node the node to read through
     * @param members the follow graph
     * @param truth the acknowledged changes
     * @throws AssertionError if a feed differs
     */
    public static void pass(Node node, Members members, Truth truth) {
        pass(List.of(node), members, truth);
    }

    /**
     * Makes the same check through each of several engines.
     *
     * @param nodes the nodes to read through
     * @param members the follow graph
     * @param truth the acknowledged changes
     * @throws AssertionError if a feed differs
     */
    public static void pass(List<Node> nodes, Members members, Truth truth) {
        FeedEngine feed = nodes.get(0).engine();
        awaitRest(feed);
        // Changes by another engine are visible after the staleness bound, which is a second.
        await().pollDelay(STALENESS).until(() -> true);
        assertThat(feed.fanout().backlog().deadLetters()).isZero();
        assertThat(truth.posts()).as("posts acknowledged").isPositive();
        OracleFeed oracle = truth.oracle(members);
        for (String reader : members.readers()) {
            for (Node node : nodes) {
                assertThat(Walks.plain(node.engine(), reader))
                        .as(reader)
                        .containsExactlyElementsOf(oracle.feed(reader));
            }
        }
    }

    /**
     * Waits until all tasks are done.
     *
     * @param feed the engine whose tasks
     */
    public static void awaitRest(FeedEngine feed) {
        long left = Long.MAX_VALUE;
        while (left > 0) {
            long before = left;
            left = await("fewer tasks are left")
                    .atMost(LONGEST)
                    .ignoreExceptionsInstanceOf(FeedKitException.class)
                    .until(() -> feed.fanout().backlog().tasks(), tasks -> tasks < before);
        }
    }

    /**
     * Compares inboxes with outboxes. All posts must have been pushed.
     *
     * @param node the node with the inboxes
     * @param members the follow graph
     * @throws AssertionError if an inbox lacked a post
     */
    public static void inboxesLackNothing(Node node, Members members) {
        for (String reader : members.readers()) {
            assertThat(node.engine().refresh(reader)).as(reader).isZero();
        }
    }
}
