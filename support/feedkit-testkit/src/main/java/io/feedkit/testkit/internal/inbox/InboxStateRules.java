package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.inbox.InboxDriver.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The states absent, building and live, and the generations that distinguish openings. */
public abstract class InboxStateRules extends InboxRules {

    private static final Opening BUSY = new Opening(Opening.Status.BUSY, 0);
    private static final Opening LIVE = new Opening(Opening.Status.LIVE, 0);

    protected InboxStateRules(InboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("an unknown reader has no inbox, no epoch and no pending follow")
    void unknownReader() {
        assertThat(inbox.slice(READER))
                .isEqualTo(new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, 0, Set.of()));
    }

    @Test
    @DisplayName("open starts a building inbox under a positive generation")
    void openBuilds() {
        long generation = inbox.build(READER);
        Slice slice = inbox.slice(READER);
        assertThat(generation).isPositive();
        assertThat(slice.state()).isEqualTo(State.BUILDING);
        assertThat(slice.generation()).isEqualTo(generation);
    }

    @Test
    @DisplayName("a building inbox accepts entries, but serves and promises nothing")
    void buildingServesNothing() {
        long generation = inbox.build(READER);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        inbox.merge(READER, generation, List.of(post("bob", 2)), Position.LOWEST);
        Slice slice = inbox.slice(READER);
        assertThat(slice.posts()).isEmpty();
        assertThat(slice.floor()).isEqualTo(Position.HIGHEST);
        assertThat(slice.mark()).isZero();
    }

    @Test
    @DisplayName("complete makes the inbox live, with all accepted entries, its floor, its generation and the mark")
    void completeMakesLive() {
        long generation = inbox.build(READER);
        inbox.deliver(READER, post("bob", 1));
        assertThat(inbox.complete(READER, generation, 77)).isTrue();
        Slice slice = inbox.slice(READER);
        assertThat(slice.state()).isEqualTo(State.LIVE);
        assertThat(slice.posts()).containsExactly(post("bob", 1));
        assertThat(slice.floor()).isEqualTo(Position.LOWEST);
        assertThat(slice.generation()).isEqualTo(generation);
        assertThat(slice.mark()).isEqualTo(77);
    }

    @Test
    @DisplayName("an inbox without entries can be live")
    void emptyLive() {
        inbox.live(READER);
        Slice slice = inbox.slice(READER);
        assertThat(slice.state()).isEqualTo(State.LIVE);
        assertThat(slice.posts()).isEmpty();
        assertThat(slice.floor()).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName("completing a live inbox only records the mark, also a lower one")
    void completeAgainSetsMark() {
        long generation = inbox.live(READER);
        inbox.deliver(READER, post("bob", 1));
        for (long mark : List.of(50L, 50L, 20L)) {
            assertThat(inbox.complete(READER, generation, mark)).isTrue();
            Slice slice = inbox.slice(READER);
            assertThat(slice.mark()).isEqualTo(mark);
            assertThat(slice.state()).isEqualTo(State.LIVE);
            assertThat(slice.posts()).containsExactly(post("bob", 1));
        }
    }

    @Test
    @DisplayName("complete is refused for an absent inbox and for another generation")
    void completeRefused() {
        assertThat(inbox.complete(READER, 1, 5)).isFalse();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        long first = inbox.live(READER);
        inbox.rebuild(READER);
        assertThat(inbox.complete(READER, first, 5)).isFalse();
        assertThat(inbox.state(READER)).isEqualTo(State.BUILDING);
    }

    @Test
    @DisplayName("a stale mark is refused by a live inbox of another generation")
    void staleMarkRefused() {
        long first = inbox.live(READER);
        long second = inbox.rebuild(READER);
        inbox.complete(READER, second);
        assertThat(inbox.complete(READER, first, 99)).isFalse();
        assertThat(inbox.slice(READER).mark()).isEqualTo(1);
    }

    @Test
    @DisplayName("open does not change a live inbox")
    void openFindsLive() {
        inbox.live(READER);
        inbox.deliver(READER, post("bob", 1));
        Slice before = inbox.slice(READER);
        assertThat(inbox.inbox().open(READER, LEASE.toMillis(), false)).isEqualTo(LIVE);
        assertThat(inbox.slice(READER)).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "open with replace exchanges a live inbox for an empty building one, even before its builder's lease has"
                    + " expired")
    void replaceLive() {
        long first = inbox.live(READER);
        inbox.deliver(READER, post("bob", 1));
        long second = inbox.rebuild(READER);
        assertThat(second).isPositive().isNotEqualTo(first);
        assertThat(inbox.state(READER)).isEqualTo(State.BUILDING);
        inbox.complete(READER, second);
        assertThat(inbox.posts(READER)).isEmpty();
    }

    @Test
    @DisplayName("open does not disturb a builder while its lease is running, with or without replace")
    void openFindsBuilder() {
        long generation = inbox.build(READER);
        inbox.deliver(READER, post("bob", 1));
        assertThat(inbox.inbox().open(READER, LEASE.toMillis(), false)).isEqualTo(BUSY);
        assertThat(inbox.inbox().open(READER, LEASE.toMillis(), true)).isEqualTo(BUSY);
        inbox.complete(READER, generation);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a builder whose lease has expired is replaced, and can neither merge nor complete")
    void staleBuilder() {
        long stale = inbox.build(READER, kit.shortTime());
        inbox.deliver(READER, post("bob", 1));
        kit.outlast();
        long fresh = inbox.build(READER);
        assertThat(fresh).isNotEqualTo(stale);
        assertThat(inbox.inbox().merge(READER, stale, List.of(post("bob", 2)), Position.LOWEST))
                .isFalse();
        assertThat(inbox.complete(READER, stale, 5)).isFalse();
        inbox.complete(READER, fresh);
        assertThat(inbox.posts(READER)).isEmpty();
    }

    @Test
    @DisplayName("a builder whose lease has expired can continue until it is replaced")
    void lateBuilder() {
        long late = inbox.build(READER, kit.shortTime());
        inbox.deliver(READER, post("bob", 1));
        kit.outlast();
        inbox.merge(READER, late, List.of(post("bob", 2)), Position.LOWEST);
        inbox.complete(READER, late);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("the lease of one reader's builder does not prevent the opening of another reader's inbox")
    void leasesAreApart() {
        inbox.build(READER);
        inbox.build("another");
        assertThat(inbox.state("another")).isEqualTo(State.BUILDING);
    }

    @Test
    @DisplayName("drop makes live and building inboxes absent, and they accept nothing any more")
    void drop() {
        long live = inbox.live("live");
        long building = inbox.build("building");
        inbox.deliver("live", post("bob", 1));
        inbox.inbox().drop(List.of("live", "building"));
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.slice(reader))
                    .isEqualTo(new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, 0, Set.of()));
            assertThat(inbox.deliver(reader, post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
        }
        assertThat(inbox.inbox().merge("live", live, List.of(), Position.LOWEST))
                .isFalse();
        assertThat(inbox.complete("building", building, 5)).isFalse();
    }

    @Test
    @DisplayName("drop is idempotent, accepts unknown and repeated readers, and does not affect other readers")
    void dropOthers() {
        inbox.live(READER);
        inbox.live("stays");
        inbox.deliver("stays", post("bob", 1));
        inbox.inbox().drop(List.of());
        inbox.inbox().drop(List.of(READER, "unknown", READER));
        inbox.inbox().drop(List.of(READER));
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        assertThat(inbox.posts("stays")).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a dropped inbox can be opened again at once, and is empty")
    void reopenAfterDrop() {
        inbox.build(READER);
        inbox.deliver(READER, post("bob", 1));
        inbox.inbox().drop(List.of(READER));
        inbox.live(READER);
        assertThat(inbox.posts(READER)).isEmpty();
    }

    @Test
    @DisplayName("a generation is never used again, whatever was replaced, dropped or expired in between")
    void generationsAreNew() {
        InboxDriver shortLived = shortLived();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            assertThat(seen.add(shortLived.live(READER))).isTrue();
            long replacement = shortLived.rebuild(READER);
            assertThat(seen.add(replacement)).isTrue();
            shortLived.complete(READER, replacement);
            kit.outlast();
            assertThat(seen.add(shortLived.live(READER))).isTrue();
            shortLived.inbox().drop(List.of(READER));
        }
        assertThat(seen).allMatch(generation -> generation > 0);
    }
}
