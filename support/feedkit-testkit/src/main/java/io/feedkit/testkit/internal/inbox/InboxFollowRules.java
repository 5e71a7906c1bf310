package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.Inbox.PendingChange;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Listing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Follow epochs and pending follows. */
public abstract class InboxFollowRules extends InboxRules {

    protected InboxFollowRules(InboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName(
            "an inbox has a positive epoch from its opening on, and keeps it when it becomes live, if no follow comes"
                    + " between")
    void epochFromOpening() {
        long generation = inbox.build(READER);
        assertThat(inbox.epoch(READER)).isPositive();
        inbox.complete(READER, generation);
        long epoch = inbox.epoch(READER);
        inbox.deliver(READER, post("bob", 1));
        inbox.merge(READER, generation, List.of(post("bob", 2)), Position.LOWEST);
        inbox.complete(READER, generation);
        inbox.retract(READER, post("bob", 2));
        inbox.visit(READER);
        assertThat(inbox.epoch(READER)).isEqualTo(epoch);
    }

    @Test
    @DisplayName("readers with an inbox, and readers with a pending follow, are listed; dropped ones are not")
    void listed() {
        AWKWARD_IDS.forEach(inbox::live);
        inbox.beginFollow("pending", "bob");
        inbox.live("dropped");
        inbox.inbox().drop(List.of("dropped"));
        Listing.by(inbox.inbox()::forEachReader)
                .ifPresent(readers -> assertThat(readers)
                        .containsAll(AWKWARD_IDS)
                        .contains("pending")
                        .doesNotContain("dropped"));
    }

    @Test
    @DisplayName("beginning a follow sets a new epoch, returns it, and makes the follow pending")
    void begin() {
        inbox.live(READER);
        long before = inbox.epoch(READER);
        long token = inbox.beginFollow(READER, "bob");
        Slice slice = inbox.slice(READER);
        assertThat(token).isPositive().isNotEqualTo(before);
        assertThat(slice.epoch()).isEqualTo(token);
        assertThat(slice.pending()).containsExactly("bob");
    }

    @Test
    @DisplayName("beginning again replaces the pending follow: the earlier token ends nothing")
    void beginAgain() {
        inbox.live(READER);
        long first = inbox.beginFollow(READER, "bob");
        long second = inbox.beginFollow(READER, "bob");
        assertThat(second).isNotEqualTo(first);
        assertThat(inbox.endFollow(READER, "bob", first)).isFalse();
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.epoch(READER)).isEqualTo(second);
        assertThat(inbox.endFollow(READER, "bob", second)).isTrue();
        assertThat(inbox.slice(READER).pending()).isEmpty();
    }

    @Test
    @DisplayName("ending a follow removes the pending follow and sets a new epoch")
    void end() {
        inbox.live(READER);
        long token = inbox.beginFollow(READER, "bob");
        assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
        Slice slice = inbox.slice(READER);
        assertThat(slice.pending()).isEmpty();
        assertThat(slice.epoch()).isPositive().isNotEqualTo(token);
    }

    @Test
    @DisplayName(
            "ending is refused without a pending follow, with another author's token and twice, and changes nothing")
    void endRefused() {
        inbox.live(READER);
        long bobs = inbox.beginFollow(READER, "bob");
        long amys = inbox.beginFollow(READER, "amy");
        Slice before = inbox.slice(READER);
        assertThat(inbox.endFollow(READER, "bob", amys)).isFalse();
        assertThat(inbox.endFollow(READER, "eve", bobs)).isFalse();
        assertThat(inbox.endFollow("nobody", "bob", bobs)).isFalse();
        assertThat(inbox.slice(READER)).isEqualTo(before);
        assertThat(inbox.endFollow(READER, "bob", bobs)).isTrue();
        Slice ended = inbox.slice(READER);
        assertThat(inbox.endFollow(READER, "bob", bobs)).isFalse();
        assertThat(inbox.slice(READER)).isEqualTo(ended);
        assertThat(ended.pending()).containsExactly("amy");
    }

    @Test
    @DisplayName("many follows are pending together, with one token, and end together; others stay")
    void many() {
        inbox.live(READER);
        long bobs = inbox.beginFollow(READER, "bob");
        long token = inbox.inbox().beginFollow(READER, List.of("amy", "eve", "joe"));
        assertThat(inbox.slice(READER).pending()).containsExactlyInAnyOrder("amy", "bob", "eve", "joe");
        assertThat(inbox.epoch(READER)).isEqualTo(token);
        assertThat(inbox.inbox().endFollow(READER, List.of("amy", "eve", "joe"), token, 0))
                .isEmpty();
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.endFollow(READER, "bob", bobs)).isTrue();
    }

    @Test
    @DisplayName("of many follows, those with the current token end, and the others are returned and stay")
    void someOfMany() {
        inbox.live(READER);
        long token = inbox.inbox().beginFollow(READER, List.of("amy", "bob", "eve"));
        long later = inbox.beginFollow(READER, "bob");
        assertThat(inbox.inbox().endFollow(READER, List.of("amy", "bob", "eve", "joe"), token, 0))
                .containsExactlyInAnyOrder("bob", "joe");
        Slice slice = inbox.slice(READER);
        assertThat(slice.pending()).containsExactly("bob");
        assertThat(slice.epoch()).isPositive().isNotIn(token, later);
        assertThat(inbox.endFollow(READER, "bob", later)).isTrue();
    }

    @Test
    @DisplayName(
            "changes of different authors do not disturb each other: a token stays valid, for a purge and for the end")
    void apart() {
        inbox.live(READER);
        inbox.deliver(READER, List.of(post("amy", 1), post("bob", 2)));
        long bobs = inbox.beginFollow(READER, "bob");
        long amys = inbox.beginFollow(READER, "amy");
        assertThat(inbox.purge(READER, "bob", bobs)).isTrue();
        assertThat(inbox.posts(READER)).containsExactly(post("amy", 1));
        assertThat(inbox.endFollow(READER, "bob", bobs)).isTrue();
        assertThat(inbox.purge(READER, "amy", amys)).isTrue();
        assertThat(inbox.posts(READER)).isEmpty();
        assertThat(inbox.endFollow(READER, "amy", amys)).isTrue();
    }

    @Test
    @DisplayName("the checksum is the one recorded with the mark, and 0 unless live")
    void checksum() {
        long generation = inbox.build(READER);
        assertThat(inbox.slice(READER).followees()).isZero();
        assertThat(inbox.inbox().complete(READER, generation, 1, -5)).isTrue();
        assertThat(inbox.slice(READER).followees()).isEqualTo(-5);
        assertThat(inbox.inbox().complete(READER, generation, 2, Long.MAX_VALUE))
                .isTrue();
        assertThat(inbox.slice(READER).followees()).isEqualTo(Long.MAX_VALUE);
        inbox.rebuild(READER);
        assertThat(inbox.slice(READER).followees()).isZero();
    }

    @Test
    @DisplayName(
            "a different checksum sets a new epoch, and so does becoming live; the same checksum keeps the epoch, and"
                    + " neither changes pending follows")
    void checksumMovesEpoch() {
        long generation = inbox.build(READER);
        long token = inbox.beginFollow(READER, "bob");
        assertThat(inbox.inbox().complete(READER, generation, 1, 7)).isTrue();
        long live = inbox.epoch(READER);
        assertThat(live).isPositive().isNotEqualTo(token);
        assertThat(inbox.inbox().complete(READER, generation, 2, 7)).isTrue();
        assertThat(inbox.epoch(READER)).isEqualTo(live);
        assertThat(inbox.inbox().complete(READER, generation, 3, 8)).isTrue();
        assertThat(inbox.epoch(READER)).isPositive().isNotIn(token, live);
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
        long ended = inbox.epoch(READER);
        assertThat(inbox.inbox().complete(READER, generation, 4, 8)).isTrue();
        assertThat(inbox.epoch(READER)).isEqualTo(ended);
        assertThat(inbox.inbox().complete(READER, generation, 5, 9)).isTrue();
        assertThat(inbox.epoch(READER)).isPositive().isNotEqualTo(ended);
    }

    @Test
    @DisplayName(
            "a change that ends completely toggles bits of the checksum; one that ends in part, or not at all, does"
                    + " not")
    void toggles() {
        long generation = inbox.build(READER);
        inbox.inbox().complete(READER, generation, 1, 0x0ff0_0000_0000_00ffL);
        long token = inbox.inbox().beginFollow(READER, List.of("amy", "bob"));
        assertThat(inbox.inbox().endFollow(READER, List.of("amy", "bob"), token, 0x7000_0000_1000_000fL))
                .isEmpty();
        assertThat(inbox.slice(READER).followees()).isEqualTo(0x7ff0_0000_1000_00f0L);
        long again = inbox.inbox().beginFollow(READER, List.of("amy", "bob"));
        long bobs = inbox.beginFollow(READER, "bob");
        assertThat(inbox.inbox().endFollow(READER, List.of("amy", "bob"), again, 1))
                .containsExactly("bob");
        assertThat(inbox.inbox().endFollow(READER, List.of("bob"), again, 2)).containsExactly("bob");
        assertThat(inbox.slice(READER).followees()).isEqualTo(0x7ff0_0000_1000_00f0L);
        assertThat(inbox.inbox().endFollow(READER, List.of("bob"), bobs, -1)).isEmpty();
        assertThat(inbox.slice(READER).followees()).isEqualTo(~0x7ff0_0000_1000_00f0L);
    }

    @Test
    @DisplayName("after a change, no earlier epoch is shown, also if the inbox is gone")
    void changesEndEarlierEpochs() {
        long token = inbox.beginFollow(READER, "bob");
        assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
        assertThat(inbox.epoch(READER)).isNotEqualTo(token);

        InboxDriver shortLived = shortLived();
        shortLived.live("expired");
        long seen = shortLived.epoch("expired");
        kit.outlast();
        shortLived.endFollow("expired", "bob", shortLived.beginFollow("expired", "bob"));
        assertThat(shortLived.epoch("expired")).isNotEqualTo(seen);
    }

    @Test
    @DisplayName("a follow can begin and end without an inbox")
    void withoutInbox() {
        long token = inbox.beginFollow(READER, "bob");
        Slice slice = inbox.slice(READER);
        assertThat(slice.state()).isEqualTo(State.ABSENT);
        assertThat(slice.posts()).isEmpty();
        assertThat(slice.floor()).isEqualTo(Position.HIGHEST);
        assertThat(slice.generation()).isZero();
        assertThat(slice.epoch()).isEqualTo(token).isPositive();
        assertThat(slice.pending()).containsExactly("bob");
        assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
        assertThat(inbox.slice(READER).pending()).isEmpty();
        assertThat(inbox.epoch(READER)).isNotEqualTo(token);
    }

    @Test
    @DisplayName(
            "pending follows are kept when an inbox is opened, completed and replaced, and the epoch when it is opened "
                    + "and replaced")
    void keptByOpening() {
        long token = inbox.beginFollow(READER, "bob");
        long first = inbox.build(READER);
        assertPending(token);
        inbox.complete(READER, first);
        long live = inbox.epoch(READER);
        assertPending(live);
        inbox.rebuild(READER);
        assertPending(live);
        assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
    }

    private void assertPending(long epoch) {
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.epoch(READER)).isEqualTo(epoch);
    }

    @Test
    @DisplayName(
            "pending follows outlive the inbox: after its window they are still pending, and their tokens are valid")
    void keptByExpiry() {
        InboxDriver shortLived = shortLived();
        shortLived.live(READER);
        long token = shortLived.beginFollow(READER, "bob");
        kit.outlast();
        assertThat(shortLived.state(READER)).isEqualTo(State.ABSENT);
        assertThat(shortLived.slice(READER).pending()).containsExactly("bob");
        assertThat(shortLived.epoch(READER)).isEqualTo(token);
        assertThat(shortLived.endFollow(READER, "bob", token)).isTrue();
        assertThat(shortLived.slice(READER).pending()).isEmpty();
    }

    @Test
    @DisplayName("drop removes the pending follows and the epoch, and their tokens end nothing")
    void goneWithDrop() {
        inbox.live(READER);
        long token = inbox.beginFollow(READER, "bob");
        inbox.inbox().drop(List.of(READER));
        assertThat(inbox.slice(READER).pending()).isEmpty();
        assertThat(inbox.epoch(READER)).isZero();
        assertThat(inbox.endFollow(READER, "bob", token)).isFalse();
        inbox.live(READER);
        assertThat(inbox.endFollow(READER, "bob", token)).isFalse();
    }

    @Test
    @DisplayName("an epoch is never used again, whatever was lost in between")
    void epochsAreNew() {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            inbox.live(READER);
            assertThat(seen.add(inbox.epoch(READER))).isTrue();
            long token = inbox.beginFollow(READER, "bob");
            assertThat(seen.add(token)).isTrue();
            assertThat(inbox.endFollow(READER, "bob", token)).isTrue();
            assertThat(seen.add(inbox.epoch(READER))).isTrue();
            inbox.inbox().drop(List.of(READER));
            assertThat(seen.add(inbox.beginFollow(READER, "bob"))).isTrue();
            inbox.inbox().drop(List.of(READER));
        }
        assertThat(seen).allMatch(epoch -> epoch > 0);
    }

    @Test
    @DisplayName("one call begins, purges and ends a change for many readers, in any state, each as for one reader")
    void manyReaders() {
        long generation = inbox.live(READER);
        inbox.inbox().complete(READER, generation, 1, 0xf0);
        inbox.live("other");
        inbox.build("building");
        inbox.deliver(READER, List.of(post("amy", 1), post("bob", 2), post("eve", 3)));
        inbox.deliver("other", List.of(post("amy", 1), post("eve", 3)));
        List<String> readers = List.of("other", READER, "absent", "building");
        List<String> authors = List.of("bob", "amy");
        List<Long> tokens = inbox.inbox().beginFollow(readers, authors);
        List<PendingChange> changes = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            assertThat(inbox.epoch(readers.get(i))).isEqualTo(tokens.get(i)).isPositive();
            assertThat(inbox.slice(readers.get(i)).pending()).containsExactlyInAnyOrder("amy", "bob");
            changes.add(new PendingChange(readers.get(i), authors, tokens.get(i), 0x3c));
        }
        long others = inbox.beginFollow("other", "amy");
        assertThat(inbox.inbox().purge(changes)).containsExactly(false, true, true, true);
        assertThat(inbox.posts(READER)).containsExactly(post("eve", 3));
        assertThat(inbox.posts("other")).containsExactly(post("eve", 3), post("amy", 1));
        assertThat(inbox.inbox().endFollow(changes)).containsExactly(Set.of("amy"), Set.of(), Set.of(), Set.of());
        assertThat(inbox.slice(READER).pending()).isEmpty();
        assertThat(inbox.slice(READER).followees()).isEqualTo(0xcc);
        assertThat(inbox.slice("other").pending()).containsExactly("amy");
        assertThat(inbox.slice("other").followees()).isZero();
        assertThat(inbox.epoch("absent")).isNotEqualTo(tokens.get(2));
        assertThat(inbox.inbox().endFollow(changes))
                .allSatisfy(refused -> assertThat(refused).containsExactlyInAnyOrder("amy", "bob"));
        assertThat(inbox.endFollow("other", "amy", others)).isTrue();
        assertThat(inbox.inbox().beginFollow(List.of(), authors)).isEmpty();
        assertThat(inbox.inbox().purge(List.of())).isEmpty();
        assertThat(inbox.inbox().endFollow(List.of())).isEmpty();
    }

    @Test
    @DisplayName("awkward author ids are separate")
    void awkwardAuthors() {
        inbox.live(READER);
        Map<String, Long> tokens = new LinkedHashMap<>();
        for (String author : AWKWARD_IDS) {
            tokens.put(author, inbox.beginFollow(READER, author));
        }
        assertThat(inbox.slice(READER).pending()).containsExactlyInAnyOrderElementsOf(AWKWARD_IDS);
        Set<String> left = new HashSet<>(AWKWARD_IDS);
        tokens.forEach((author, token) -> {
            assertThat(inbox.endFollow(READER, author, token)).isTrue();
            left.remove(author);
            assertThat(inbox.slice(READER).pending()).isEqualTo(left);
        });
    }

    @Test
    @DisplayName("a reader's follows do not change another reader's epoch")
    void readersAreApart() {
        inbox.live(READER);
        inbox.live("another");
        long epoch = inbox.epoch("another");
        long token = inbox.beginFollow(READER, "bob");
        inbox.endFollow(READER, "bob", token);
        assertThat(inbox.epoch("another")).isEqualTo(epoch);
        assertThat(inbox.slice("another").pending()).isEmpty();
    }
}
