package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.feedkit.FeedPage.Caveat;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.spi.FeedStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranked pages, by their saved orders,")
class RankedSnapshotsTest extends RankedFeed {

    @Test
    @DisplayName("end typed when their order has expired, half an hour after the first page")
    void expired() {
        List<Post> ranked = fill(30);
        RankedPage<Post> page = top(30, 5);
        clock.advance(Duration.ofMinutes(30).minusMillis(1));
        RankedPage<Post> second = after(page, 5);
        assertThat(second.items()).isEqualTo(ranked.subList(5, 10));
        clock.advance(Duration.ofMillis(1));
        assertGone("ann", page.next().orElseThrow());
        assertGone("ann", second.next().orElseThrow());
        assertThat(top(30, 5).items()).isEqualTo(ranked.subList(0, 5));
    }

    @Test
    @DisplayName("keep their order for as long as the host says")
    void age() {
        fill(30);
        FeedEngine brief = open(builder().reading(reading -> reading.rankSnapshotAge(Duration.ofSeconds(1))));
        RankCursor cursor =
                brief.ranked("ann", RankRequest.top(30, 5), byWeight).next().orElseThrow();
        clock.advance(Duration.ofMillis(999));
        assertThat(engine.ranked("ann", RankRequest.after(cursor, 5), byWeight).items())
                .hasSize(5);
        clock.advance(Duration.ofMillis(1));
        assertGone("ann", cursor);
    }

    @Test
    @DisplayName("of the latest eight walks of a reader can be continued, and another reader's walks do not count")
    void latestWalks() {
        fill(30);
        engine.follow("zoe", "bob");
        RankCursor zoes =
                engine.ranked("zoe", RankRequest.top(10, 1), byWeight).next().orElseThrow();
        List<RankCursor> cursors =
                Stream.generate(() -> top(30, 5).next().orElseThrow()).limit(9).toList();
        assertGone("ann", cursors.get(0));
        cursors.subList(1, 9)
                .forEach(cursor -> assertThat(engine.ranked("ann", RankRequest.after(cursor, 5), byWeight)
                                .items())
                        .hasSize(5));
        assertThat(engine.ranked("zoe", RankRequest.after(zoes, 5), byWeight).items())
                .hasSize(5);
    }

    @Test
    @DisplayName("are not found with another reader's cursor, or with one that names nothing")
    void ofOthers() {
        fill(30);
        engine.follow("zoe", "bob");
        assertGone("zoe", top(30, 5).next().orElseThrow());
        assertGone(
                "ann",
                RankCursor.parse(engine.ranked("zoe", RankRequest.top(5, 1), byWeight)
                        .next()
                        .orElseThrow()
                        .toString()));
    }

    @Test
    @DisplayName("are forgotten with their reader")
    void forgotten() {
        fill(30);
        engine.follow("zoe", "bob");
        RankCursor zoes =
                engine.ranked("zoe", RankRequest.top(10, 1), byWeight).next().orElseThrow();
        RankCursor anns = top(30, 5).next().orElseThrow();
        engine.forget("ann");
        assertGone("ann", anns);
        assertThat(engine.ranked("zoe", RankRequest.after(zoes, 5), byWeight).items())
                .hasSize(5);
    }

    @Test
    @DisplayName("without a store for orders have a first page with a caveat, and no further pages")
    void snapshotsDown() {
        List<Post> ranked = fill(30);
        RankedPage<Post> before = top(30, 5);
        try (LogCapture log = LogCapture.of(CircuitBreaker.class)) {
            store.fail("RankSnapshots.save");
            store.fail("RankSnapshots.load");
            for (int i = 0; i < 10; i++) {
                RankedPage<Post> page = top(30, 5);
                assertThat(page.items()).isEqualTo(ranked.subList(0, 5));
                assertThat(page.next()).isEmpty();
                assertThat(page.caveats()).containsExactly(Caveat.ORDER_NOT_SAVED);
                assertThatThrownBy(() -> after(before, 5))
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                e -> assertThat(e.isRetryable()).isTrue());
            }
            assertThat(top(30, 30).caveats()).isEmpty();
            assertThat(log.messages(Level.WARN)).hasSize(1).first().asString().contains("ranked orders is down");
        }
        assertThat(store.calls("RankSnapshots.save") + store.calls("RankSnapshots.load"))
                .as("calls to a store that is down")
                .isLessThan(8);
        store.heal();
        clock.advance(Duration.ofSeconds(1));
        assertThat(after(before, 5).items()).isEqualTo(ranked.subList(5, 10));
        assertThat(top(30, 5).next()).isPresent();
    }

    @Test
    @DisplayName("whose order may not have been saved have no next cursor")
    void outcomeUnknown() {
        fill(30);
        store.before("RankSnapshots.save", () -> {
            throw new OutcomeUnknownException("rankSnapshots.save", null);
        });
        assertThat(top(30, 5).caveats()).containsExactly(Caveat.ORDER_NOT_SAVED);
        assertThat(top(30, 5).next()).isEmpty();
    }

    @Test
    @DisplayName("on a store without orders are kept in the memory of the engine")
    void ownMemory() {
        List<Post> ranked = fill(30);
        FeedStore parts = FeedStore.of(memory.outbox(), memory::inbox, memory.graph(), memory.seenMarks());
        FeedEngine one = open(FeedEngine.builder(parts).clock(clock).workers(0));
        FeedEngine other = open(FeedEngine.builder(parts).clock(clock).workers(0));
        RankRequest request = RankRequest.after(
                one.ranked("ann", RankRequest.top(30, 5), byWeight).next().orElseThrow(), 5);
        assertThat(one.ranked("ann", request, byWeight).items()).isEqualTo(ranked.subList(5, 10));
        assertThatThrownBy(() -> other.ranked("ann", request, byWeight)).isInstanceOf(SnapshotExpiredException.class);
        one.forget("ann");
        assertThatThrownBy(() -> one.ranked("ann", request, byWeight)).isInstanceOf(SnapshotExpiredException.class);
    }

    @Test
    @DisplayName("on a store with orders can be read on any engine")
    void anyEngine() {
        List<Post> ranked = fill(30);
        FeedEngine other = open(builder());
        RankedPage<Post> page = top(30, 5);
        assertThat(other.ranked("ann", RankRequest.after(page.next().orElseThrow(), 5), byWeight)
                        .items())
                .isEqualTo(ranked.subList(5, 10));
    }

    @Test
    @DisplayName("repeat the caveats of the first page")
    void caveats() {
        fill(30);
        FeedEngine one = open(builder().maxFollowees(1));
        RankedPage<Post> page = one.ranked("ann", RankRequest.top(10, 5), byWeight);
        assertThat(page.caveats()).containsExactly(Caveat.SOME_FOLLOWEES);
        assertThat(one.ranked("ann", RankRequest.after(page.next().orElseThrow(), 5), byWeight)
                        .caveats())
                .containsExactly(Caveat.SOME_FOLLOWEES);
    }

    @Test
    @DisplayName("need the source of truth for later pages, even if stale pages are allowed")
    void stale() {
        List<Post> ranked = fill(30);
        FeedEngine patient = open(builder().reading(reading -> reading.staleIfError(Duration.ofMinutes(10))));
        patient.ranked("ann", RankRequest.top(30, 5), byWeight);
        clock.advance(Duration.ofSeconds(2));
        for (String call :
                List.of("PulledRegister.update", "Outbox.existing", "Outbox.page", "FollowGraph.followees")) {
            store.fail(call);
        }
        RankedPage<Post> page = patient.ranked("ann", RankRequest.top(30, 5), byWeight);
        assertThat(page.items()).isEqualTo(ranked.subList(0, 5));
        assertThat(page.caveats()).containsExactly(Caveat.STALE);
        RankRequest next = RankRequest.after(page.next().orElseThrow(), 5);
        assertThatThrownBy(() -> patient.ranked("ann", next, byWeight)).isInstanceOf(StoreUnavailableException.class);
        store.heal();
        assertThat(patient.ranked("ann", next, byWeight).items()).isEqualTo(ranked.subList(5, 10));
    }
}
