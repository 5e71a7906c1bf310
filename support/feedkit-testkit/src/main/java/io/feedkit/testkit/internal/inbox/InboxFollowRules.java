package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The version of what a reader follows, and the notes of follows under way. */
public abstract class InboxFollowRules extends InboxRules {

    protected InboxFollowRules(InboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("an inbox has a positive epoch from the moment it is opened, and keeps it while nothing is followed")
    void epochFromOpening() {
        long generation = inbox.build(READER);
        long epoch = inbox.epoch(READER);
        assertThat(epoch).isPositive();
        inbox.deliver(READER, post("bob", 1));
        inbox.merge(READER, generation, List.of(post("bob", 2)), Position.LOWEST);
        inbox.complete(READER, generation);
        inbox.retract(READER, post("bob", 2));
        inbox.visit(READER);
        assertThat(inbox.epoch(READER)).isEqualTo(epoch);
    }

    @Test
    @DisplayName("beginning a follow sets a new epoch, returns it, and notes the author as pending")
    void begin() {
        inbox.live(READER);
        long before = inbox.epoch(READER);
        long token = inbox.inbox().beginFollow(READER, "bob");
        Slice slice = inbox.slice(READER);
        assertThat(token).isPositive().isNotEqualTo(before);
        assertThat(slice.epoch()).isEqualTo(token);
        assertThat(slice.pending()).containsExactly("bob");
    }

    @Test
    @DisplayName("beginning again replaces the note: the earlier token ends nothing")
    void beginAgain() {
        inbox.live(READER);
        long first = inbox.inbox().beginFollow(READER, "bob");
        long second = inbox.inbox().beginFollow(READER, "bob");
        assertThat(second).isNotEqualTo(first);
        assertThat(inbox.inbox().endFollow(READER, "bob", first)).isFalse();
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.epoch(READER)).isEqualTo(second);
        assertThat(inbox.inbox().endFollow(READER, "bob", second)).isTrue();
        assertThat(inbox.slice(READER).pending()).isEmpty();
    }

    @Test
    @DisplayName("ending a follow takes the note away and sets a new epoch")
    void end() {
        inbox.live(READER);
        long token = inbox.inbox().beginFollow(READER, "bob");
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isTrue();
        Slice slice = inbox.slice(READER);
        assertThat(slice.pending()).isEmpty();
        assertThat(slice.epoch()).isPositive().isNotEqualTo(token);
    }

    @Test
    @DisplayName("ending is refused without a note, with another author's token and a second time, and changes nothing")
    void endRefused() {
        inbox.live(READER);
        long bobs = inbox.inbox().beginFollow(READER, "bob");
        long amys = inbox.inbox().beginFollow(READER, "amy");
        Slice before = inbox.slice(READER);
        assertThat(inbox.inbox().endFollow(READER, "bob", amys)).isFalse();
        assertThat(inbox.inbox().endFollow(READER, "eve", bobs)).isFalse();
        assertThat(inbox.inbox().endFollow("nobody", "bob", bobs)).isFalse();
        assertThat(inbox.slice(READER)).isEqualTo(before);
        assertThat(inbox.inbox().endFollow(READER, "bob", bobs)).isTrue();
        Slice ended = inbox.slice(READER);
        assertThat(inbox.inbox().endFollow(READER, "bob", bobs)).isFalse();
        assertThat(inbox.slice(READER)).isEqualTo(ended);
        assertThat(ended.pending()).containsExactly("amy");
    }

    @Test
    @DisplayName("an unfollow takes the author's note away, sets a new epoch and returns it")
    void unfollow() {
        inbox.live(READER);
        long token = inbox.inbox().beginFollow(READER, "bob");
        inbox.inbox().beginFollow(READER, "amy");
        long before = inbox.epoch(READER);
        long epoch = inbox.inbox().recordUnfollow(READER, "bob");
        Slice slice = inbox.slice(READER);
        assertThat(epoch).isPositive().isNotEqualTo(before).isNotEqualTo(token);
        assertThat(slice.epoch()).isEqualTo(epoch);
        assertThat(slice.pending()).containsExactly("amy");
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isFalse();
    }

    @Test
    @DisplayName("an unfollow without a note sets a new epoch too, building or live")
    void unfollowWithoutNote() {
        inbox.live("live");
        inbox.build("building");
        for (String reader : List.of("live", "building")) {
            long before = inbox.epoch(reader);
            long epoch = inbox.inbox().recordUnfollow(reader, "bob");
            assertThat(epoch).isPositive().isNotEqualTo(before);
            assertThat(inbox.epoch(reader)).isEqualTo(epoch);
        }
    }

    @Test
    @DisplayName("an unfollow by a reader with neither inbox nor notes needs no epoch")
    void unfollowWithoutAnything() {
        assertThat(inbox.inbox().recordUnfollow(READER, "bob")).isZero();
        assertThat(inbox.epoch(READER)).isZero();
    }

    @Test
    @DisplayName("no epoch from before an unfollow is shown after it, also where there is no inbox any more")
    void unfollowEndsEarlierEpochs() {
        long token = inbox.inbox().beginFollow(READER, "bob");
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isTrue();
        long ended = inbox.epoch(READER);
        inbox.inbox().recordUnfollow(READER, "bob");
        Set<Long> earlier = new HashSet<>(Set.of(token, ended));
        earlier.remove(0L);
        assertThat(inbox.epoch(READER)).isNotIn(earlier);

        InboxDriver shortLived = shortLived();
        shortLived.live("expired");
        long seen = shortLived.epoch("expired");
        kit.outlast();
        shortLived.inbox().recordUnfollow("expired", "bob");
        assertThat(shortLived.epoch("expired")).isNotEqualTo(seen);
    }

    @Test
    @DisplayName("a follow begins and ends without an inbox as well")
    void withoutInbox() {
        long token = inbox.inbox().beginFollow(READER, "bob");
        Slice slice = inbox.slice(READER);
        assertThat(slice.state()).isEqualTo(State.ABSENT);
        assertThat(slice.posts()).isEmpty();
        assertThat(slice.floor()).isEqualTo(Position.HIGHEST);
        assertThat(slice.generation()).isZero();
        assertThat(slice.epoch()).isEqualTo(token).isPositive();
        assertThat(slice.pending()).containsExactly("bob");
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isTrue();
        assertThat(inbox.slice(READER).pending()).isEmpty();
        assertThat(inbox.epoch(READER)).isNotEqualTo(token);
    }

    @Test
    @DisplayName("an unfollow by a reader with notes but no inbox sets a new epoch")
    void unfollowWithNotesOnly() {
        inbox.inbox().beginFollow(READER, "amy");
        long token = inbox.inbox().beginFollow(READER, "bob");
        long epoch = inbox.inbox().recordUnfollow(READER, "bob");
        assertThat(epoch).isPositive().isNotEqualTo(token);
        assertThat(inbox.slice(READER).pending()).containsExactly("amy");
        assertThat(inbox.epoch(READER)).isEqualTo(epoch);
    }

    @Test
    @DisplayName("notes and epoch are kept when an inbox is opened, completed and replaced")
    void keptByOpening() {
        long token = inbox.inbox().beginFollow(READER, "bob");
        long first = inbox.build(READER);
        assertNoted(token);
        inbox.complete(READER, first);
        assertNoted(token);
        inbox.rebuild(READER);
        assertNoted(token);
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isTrue();
    }

    private void assertNoted(long token) {
        assertThat(inbox.slice(READER).pending()).containsExactly("bob");
        assertThat(inbox.epoch(READER)).isEqualTo(token);
    }

    @Test
    @DisplayName("notes outlive the inbox: when its window is over they stand, and their tokens are good")
    void keptByExpiry() {
        InboxDriver shortLived = shortLived();
        shortLived.live(READER);
        long token = shortLived.inbox().beginFollow(READER, "bob");
        kit.outlast();
        assertThat(shortLived.state(READER)).isEqualTo(State.ABSENT);
        assertThat(shortLived.slice(READER).pending()).containsExactly("bob");
        assertThat(shortLived.epoch(READER)).isEqualTo(token);
        assertThat(shortLived.inbox().endFollow(READER, "bob", token)).isTrue();
        assertThat(shortLived.slice(READER).pending()).isEmpty();
    }

    @Test
    @DisplayName("drop takes the notes and the epoch away, and their tokens end nothing")
    void goneWithDrop() {
        inbox.live(READER);
        long token = inbox.inbox().beginFollow(READER, "bob");
        inbox.inbox().drop(List.of(READER));
        assertThat(inbox.slice(READER).pending()).isEmpty();
        assertThat(inbox.epoch(READER)).isZero();
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isFalse();
        inbox.live(READER);
        assertThat(inbox.inbox().endFollow(READER, "bob", token)).isFalse();
    }

    @Test
    @DisplayName("an epoch is never used again, whatever was lost in between")
    void epochsAreNew() {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            inbox.live(READER);
            assertThat(seen.add(inbox.epoch(READER))).isTrue();
            long token = inbox.inbox().beginFollow(READER, "bob");
            assertThat(seen.add(token)).isTrue();
            assertThat(inbox.inbox().endFollow(READER, "bob", token)).isTrue();
            assertThat(seen.add(inbox.epoch(READER))).isTrue();
            assertThat(seen.add(inbox.inbox().recordUnfollow(READER, "bob"))).isTrue();
            inbox.inbox().drop(List.of(READER));
            assertThat(seen.add(inbox.inbox().beginFollow(READER, "bob"))).isTrue();
            inbox.inbox().drop(List.of(READER));
        }
        assertThat(seen).allMatch(epoch -> epoch > 0);
    }

    @Test
    @DisplayName("awkward author ids are noted apart")
    void awkwardAuthors() {
        inbox.live(READER);
        Map<String, Long> tokens = new LinkedHashMap<>();
        for (String author : AWKWARD_IDS) {
            tokens.put(author, inbox.inbox().beginFollow(READER, author));
        }
        assertThat(inbox.slice(READER).pending()).containsExactlyInAnyOrderElementsOf(AWKWARD_IDS);
        Set<String> left = new HashSet<>(AWKWARD_IDS);
        tokens.forEach((author, token) -> {
            assertThat(inbox.inbox().endFollow(READER, author, token)).isTrue();
            left.remove(author);
            assertThat(inbox.slice(READER).pending()).isEqualTo(left);
        });
    }

    @Test
    @DisplayName("one reader's follows do not move another's epoch")
    void readersAreApart() {
        inbox.live(READER);
        inbox.live("another");
        long epoch = inbox.epoch("another");
        inbox.inbox().beginFollow(READER, "bob");
        inbox.inbox().recordUnfollow(READER, "bob");
        assertThat(inbox.epoch("another")).isEqualTo(epoch);
        assertThat(inbox.slice("another").pending()).isEmpty();
    }
}
