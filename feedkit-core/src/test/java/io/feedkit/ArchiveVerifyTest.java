package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.event.FeedListener;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostArchive;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Verify of a feed with an archive")
class ArchiveVerifyTest {

    private static final VerifyRequest ALL =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ZERO);
    private static final int POSTS = 12;

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final InMemoryPostArchive archive = InMemoryPostArchive.create();
    private final List<VerifyReport> reports = new ArrayList<>();
    private FeedEngine feed;

    @BeforeEach
    void fill() {
        feed = builder()
                .listener(new FeedListener() {
                    @Override
                    public void verified(VerifyReport report) {
                        reports.add(report);
                    }
                })
                .build();
        feed.follow("ann", "bob");
        feed.read("ann", PageRequest.first(1));
        feed.importPosts(
                IntStream.range(0, POSTS).mapToObj(ArchiveVerifyTest::post).toList());
        feed.fanout().drain();
        clock.advance(Duration.ofSeconds(1));
        assertThat(feed.archivePosts()).isEqualTo(POSTS / 2);
    }

    @AfterEach
    void close() {
        feed.close();
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .archive(archive)
                .archiving(archiving -> archiving.after(Duration.ofDays(3)));
    }

    /** Half of the posts are older than three days. */
    private static Post post(int n) {
        Instant limit = ManualClock.START.minus(Duration.ofDays(3));
        return new Post("bob", "p" + n, limit.plus(Duration.ofMinutes(60L * (n - POSTS / 2) + 30)));
    }

    private List<Post> page() {
        return feed.read("ann", PageRequest.first(100)).items();
    }

    private Finding foundAndRepaired(FindingKind kind) {
        List<Post> before = page();
        VerifyReport found = feed.verify(ALL);
        assertThat(found.counts()).containsOnlyKeys(kind).containsEntry(kind, 1L);
        Finding finding = found.findings().get(0);
        assertThat(finding.author()).hasValue("bob");
        VerifyReport repaired = feed.verify(ALL.repair(true));
        assertThat(repaired.findings()).containsExactly(finding.with(Repair.DONE));
        VerifyReport clean = feed.verify(ALL);
        assertThat(clean.findings()).isEmpty();
        assertThat(clean.isClean()).isTrue();
        assertThat(page()).isEqualTo(before);
        assertThat(reports).containsExactly(found, repaired, clean);
        return finding;
    }

    @Test
    @DisplayName("a healthy archive has no findings, and each archived post is compared")
    void healthy() {
        VerifyReport report = feed.verify(ALL);
        assertThat(report.isClean()).isTrue();
        assertThat(report.checked()).containsEntry(Stage.ARCHIVE, (long) POSTS / 2);
        assertThat(feed.verify(ALL.repair(true)).isClean()).isTrue();
    }

    @Test
    @DisplayName("a copy whose mover died before it removed the row is found, and the row is removed")
    void rowIsLeft() {
        Post left = post(POSTS / 2);
        clock.advance(Duration.ofHours(3));
        store.outbox()
                .archiveSource()
                .orElseThrow()
                .raiseBoundary(left.publishedAt().toEpochMilli() + 1);
        archive.store(List.of(left));
        assertThat(foundAndRepaired(FindingKind.ARCHIVED_POST_IN_OUTBOX).post()).hasValue(left.id());
        assertThat(store.outbox().existing(List.of(left.key()))).isEmpty();
        assertThat(archive.existing(List.of(left.key()))).containsEntry(left.key(), left);
    }

    @Test
    @DisplayName("a copy above the boundary is left alone, because readers would not find it after a removal")
    void aboveBoundary() {
        archive.store(List.of(post(POSTS - 1)));
        assertThat(feed.verify(ALL.repair(true)).isClean()).isTrue();
        assertThat(page()).hasSize(POSTS);
    }

    @Test
    @DisplayName("a deleted post that is still in the archive is found, and deleted there")
    void deleted() {
        Post gone = post(0);
        feed.delete(gone.author(), gone.id());
        feed.fanout().drain();
        clock.advance(Duration.ofMinutes(2));
        feed.fanout().drain();
        assertThat(archive.existing(List.of(gone.key()))).isEmpty();
        archive.store(List.of(gone));
        assertThat(foundAndRepaired(FindingKind.ARCHIVED_POST_DELETED).post()).hasValue(gone.id());
        assertThat(archive.existing(List.of(gone.key()))).isEmpty();
    }

    @Test
    @DisplayName("a post that the archive has lost is found in an inbox, and stored again")
    void lost() {
        Post lost = post(2);
        assertThat(page()).contains(lost);
        archive.delete(List.of(lost.key()));
        Finding finding = foundAndRepaired(FindingKind.ARCHIVED_POST_LOST);
        assertThat(finding.post()).hasValue(lost.id());
        assertThat(finding.reader()).hasValue("ann");
        assertThat(archive.existing(List.of(lost.key()))).containsEntry(lost.key(), lost);
        assertThat(page()).contains(lost);
    }

    @Test
    @DisplayName("an engine without the archive is refused, because posts may have moved")
    void withoutArchive() {
        assertThatThrownBy(
                        () -> FeedEngine.builder(store).clock(clock).workers(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("archive must be set", "2025-12-29");
    }

    @Test
    @DisplayName("settings of archiving without an archive, and an outbox as the archive, are refused")
    void contradictions() {
        assertThatThrownBy(() -> FeedEngine.builder(InMemoryFeedStore.create())
                        .archiving(archiving -> archiving.batchSize(5))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("archive must be set");
        Object both = Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {PostArchive.class, Outbox.class},
                (proxy, called, given) -> {
                    return List.of();
                });
        assertThatThrownBy(() -> FeedEngine.builder(InMemoryFeedStore.create())
                        .archive((PostArchive) both)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("archive must be a store of its own");
    }
}
