package io.feedkit.survival.copies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Walks;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What must hold when all work is done: feeds, inboxes, and {@code verify}, also after all readers have come back. */
final class CopyCheck {

    private static final Duration STALENESS = FeedEngineBuilder.DEFAULT_STALENESS.plusMillis(100);

    private static final VerifyRequest ALL =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ofMillis(300));

    /** What a healthy system may have: pulled authors whose posts were deleted, or whom nobody follows any more. */
    private static final Set<FindingKind> HARMLESS = Set.of(FindingKind.AUTHOR_REGISTERED_IN_VAIN);

    /** Before inboxes are built again, also the entry of a push that overlaps an unfollow. */
    private static final Set<FindingKind> HIDDEN_BY_PAGES =
            Set.of(FindingKind.AUTHOR_REGISTERED_IN_VAIN, FindingKind.POST_NOT_FOLLOWED);

    private final CopyNodes copied;
    private final Members members;
    private final CopyTruth truth;

    CopyCheck(CopyNodes copied, Members members, CopyTruth truth) {
        this.copied = copied;
        this.members = members;
        this.truth = truth;
    }

    /**
     * Waits until all work is done, and checks.
     *
     * @param since a moment
     * @return the time from the moment until all work was done
     */
    Duration pass(List<Node> nodes, long since) {
        Node node = nodes.get(0);
        FinalCheck.awaitRest(node.engine());
        Duration resumed = Duration.ofNanos(System.nanoTime() - since);
        assertThat(node.engine().fanout().backlog().deadLetters()).isZero();
        // No engine's view is stale, and no killed process holds an inbox.
        await().pollDelay(STALENESS.plus(Node.LEASE)).until(() -> true);
        nodes.forEach(this::feeds);
        inboxes(node);
        VerifyReport report = node.engine().verify(ALL);
        assertThat(report.counts().keySet()).as("%s", report).isSubsetOf(HIDDEN_BY_PAGES);
        try (Node fresh = copied.node("fresh", UnaryOperator.identity()).open()) {
            CopyNodes.inbox(node).drop(members.readers());
            feeds(fresh);
            inboxes(fresh);
            assertThat(fresh.engine().verify(ALL).counts().keySet())
                    .as("after all readers came back")
                    .isSubsetOf(HARMLESS);
        }
        return resumed;
    }

    private void feeds(Node node) {
        for (String reader : members.readers()) {
            assertThat(Walks.plain(node.engine(), reader)).as(reader).containsExactlyElementsOf(truth.feed(reader));
        }
    }

    /** No inbox has a deleted post. */
    private void inboxes(Node node) {
        Inbox inbox = CopyNodes.inbox(node);
        Set<Post> all = new HashSet<>(truth.all());
        for (String reader : members.readers()) {
            SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, CopyNodes.CAP, false);
            assertThat(inbox.slice(List.of(query)).get(0).posts())
                    .as("inbox of %s", reader)
                    .doesNotHaveDuplicates()
                    .allMatch(all::contains);
        }
    }
}
