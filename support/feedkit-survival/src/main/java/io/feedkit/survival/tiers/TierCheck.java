package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Walks;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold when all work is done: feeds, tiers, counts, and {@code verify}. */
final class TierCheck {

    /** All of {@code verify}, as fast as possible. A follow takes less than the time until the next look. */
    static final VerifyRequest ALL =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ofMillis(300));

    private static final Duration LIVE_WINDOW = FeedEngineBuilder.DEFAULT_LIVE_WINDOW;
    private static final Duration STALENESS = FeedEngineBuilder.DEFAULT_STALENESS.plusMillis(100);

    private final TierNodes tiers;
    private final Members members;
    private final TierTruth truth;

    TierCheck(TierNodes tiers, Members members, TierTruth truth) {
        this.tiers = tiers;
        this.members = members;
        this.truth = truth;
    }

    /** Waits until no task is left, and no engine's view is stale. */
    static void awaitRest(Node node) {
        FinalCheck.awaitRest(node.engine());
        await().pollDelay(STALENESS).until(() -> true);
    }

    /** Checks everything on several nodes. All tasks are done, and due posts have moved. */
    void pass(List<Node> nodes) {
        Node node = nodes.get(0);
        assertThat(node.engine().fanout().backlog().deadLetters()).isZero();
        assertThat(truth.all()).isNotEmpty();
        for (Node each : nodes) {
            feeds(each);
        }
        tiers(node);
        authors(node);
        inboxes(node);
    }

    /** Compares every reader's walk with the oracle. */
    void feeds(Node node) {
        for (String reader : members.readers()) {
            List<Post> feed = truth.feed(reader);
            assertThat(Walks.plain(node.engine(), reader)).as(reader).containsExactlyElementsOf(feed);
        }
    }

    /** Each post is in a tier, old ones in the archive; deleted ones are in no tier. */
    private void tiers(Node node) {
        ArchiveSource source = node.store().outbox().archiveSource().orElseThrow();
        List<PostKey> keys = truth.all().stream().map(Post::key).toList();
        Map<PostKey, Optional<Post>> warm = source.known(keys);
        try (HikariDataSource pool = tiers.archivePool()) {
            PostArchive archive = JdbcPostArchive.of(pool);
            Map<PostKey, Post> cold = archive.existing(keys);
            for (Post post : truth.all()) {
                Optional<Post> row = warm.getOrDefault(post.key(), Optional.empty());
                assertThat(row.or(() -> Optional.ofNullable(cold.get(post.key()))))
                        .as("%s in the outbox (%s) or the archive (%s)", post, row, cold.get(post.key()))
                        .hasValue(post);
            }
            assertThat(archive.existing(truth.tombstones()))
                    .as("deleted posts in the archive")
                    .isEmpty();
            assertThat(archive.size()).as("posts in the archive").isEqualTo(cold.size());
        }
        assertThat(source.known(truth.tombstones()).values()).allMatch(Optional::isEmpty);
    }

    /** Counts authors' posts by their pages, and by their followers' unread counts. */
    private void authors(Node node) {
        for (String author : members.authors()) {
            assertThat(Walks.ofAuthor(node.engine(), author)).as(author).hasSize((int) truth.count(author));
        }
        for (String reader : members.readers()) {
            assertThat(node.engine().unread(reader).count())
                    .as("unread posts of %s", reader)
                    .isEqualTo(truth.feed(reader).size());
        }
    }

    /** Inboxes hold only posts of the feed, each once. */
    private void inboxes(Node node) {
        Inbox inbox = inbox(tiers, node);
        for (String reader : members.readers()) {
            List<Post> posts = inbox.slice(
                            List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, tiers.cap(), false)))
                    .get(0)
                    .posts();
            Set<Post> feed = new HashSet<>(truth.feed(reader));
            assertThat(posts).as("inbox of %s", reader).doesNotHaveDuplicates().allMatch(feed::contains);
        }
    }

    static Inbox inbox(TierNodes tiers, Node node) {
        return node.store().inbox(new InboxLimits(tiers.cap(), LIVE_WINDOW.toMillis()));
    }

    /** Runs {@code verify} with repair, and once more, when it must find nothing. */
    static Map<FindingKind, Long> verify(Node node) {
        VerifyReport repaired = node.engine().verify(ALL.repair(true));
        VerifyReport last = node.engine().verify(ALL);
        assertThat(last.findings())
                .as("findings after the repair of %s", repaired)
                .isEmpty();
        assertThat(last.isClean()).as("%s", last).isTrue();
        return new HashMap<>(repaired.counts());
    }
}
