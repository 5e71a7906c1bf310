package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.inbox.InboxDriver.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Inbox.Window;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls renew the live window and which do not. The end of the window is final. */
public abstract class InboxLiveWindowRules extends InboxRules {

    private long generation;

    protected InboxLiveWindowRules(InboxKit kit) {
        super(kit);
    }

    @BeforeEach
    void goLive() {
        inbox = shortLived();
        generation = inbox.live(READER);
        inbox.deliver(READER, post("bob", 1));
    }

    @Test
    @DisplayName("an inbox is absent when the window has passed without a renewing read")
    void expires() {
        kit.outlast();
        Slice slice = inbox.slice(READER);
        assertThat(slice.state()).isEqualTo(State.ABSENT);
        assertThat(slice.posts()).isEmpty();
        assertThat(slice.floor()).isEqualTo(Position.HIGHEST);
        assertThat(slice.generation()).isZero();
        assertThat(slice.mark()).isZero();
    }

    @Test
    @DisplayName("an expired inbox accepts nothing, whichever call notices first")
    void expiredAcceptsNothing() {
        long another = inbox.live("another");
        kit.outlast();
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.inbox().merge("another", another, List.of(post("bob", 2)), Position.LOWEST))
                .isFalse();
        assertThat(inbox.complete("another", another, 5)).isFalse();
        assertThat(inbox.complete(READER, generation, 5)).isFalse();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        assertThat(inbox.state("another")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a renewing read does not revive an expired inbox")
    void expiryIsIrreversible() {
        kit.outlast();
        assertThat(inbox.visit(READER).state()).isEqualTo(State.ABSENT);
        assertThat(inbox.visit(READER).state()).isEqualTo(State.ABSENT);
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
    }

    @Test
    @DisplayName("an inbox that was found expired stays closed for a view with a longer window")
    void expiredForAllViews() {
        kit.outlast();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        InboxDriver longLived = view(1000, Duration.ofDays(7));
        assertThat(longLived.visit(READER).state()).isEqualTo(State.ABSENT);
        assertThat(longLived.deliver(READER, post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
    }

    @Test
    @DisplayName("an expired inbox can be opened without replace, and its entries are gone")
    void reopenExpired() {
        kit.outlast();
        long fresh = inbox.live(READER);
        assertThat(fresh).isNotEqualTo(generation);
        assertThat(inbox.posts(READER)).isEmpty();
        assertThat(inbox.floor(READER)).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName("every renewing read renews the window")
    void readsRenew() {
        for (int i = 0; i < 3; i++) {
            kit.passMostOfShortTime();
            assertThat(inbox.visit(READER).state()).isEqualTo(State.LIVE);
        }
        kit.passMostOfShortTime();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
        kit.outlast();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a renewing read renews even if it asks for an empty range")
    void emptyReadsRenew() {
        kit.passMostOfShortTime();
        PositionRange nothing = new PositionRange(Position.HIGHEST, Position.LOWEST);
        inbox.inbox().slice(List.of(new SliceQuery(READER, nothing, Order.OLDEST_FIRST, 1, true)));
        kit.passMostOfShortTime();
        assertThat(inbox.state(READER)).isEqualTo(State.LIVE);
    }

    @Test
    @DisplayName("each query of a batch decides by itself whether it renews")
    void renewalIsPerQuery() {
        inbox.live("upkeep");
        kit.passMostOfShortTime();
        inbox.inbox()
                .slice(List.of(
                        new SliceQuery("upkeep", PositionRange.ALL, Order.NEWEST_FIRST, 1, false),
                        new SliceQuery(READER, PositionRange.ALL, Order.NEWEST_FIRST, 1, true)));
        kit.passMostOfShortTime();
        assertThat(inbox.state(READER)).isEqualTo(State.LIVE);
        assertThat(inbox.state("upkeep")).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a read for upkeep does not renew the window")
    void upkeepDoesNotRenew() {
        kit.passMostOfShortTime();
        assertThat(inbox.slice(READER).state()).isEqualTo(State.LIVE);
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("deliveries do not renew the window")
    void deliveriesDoNotRenew() {
        kit.passMostOfShortTime();
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.PRESENT);
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("merges, retractions and purges do not renew the window")
    void upkeepOperationsDoNotRenew() {
        kit.passMostOfShortTime();
        inbox.merge(READER, generation, List.of(post("bob", 3)), Position.LOWEST);
        inbox.retract(READER, post("bob", 3));
        assertThat(inbox.purge(READER, "bob", inbox.epoch(READER))).isTrue();
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("a new mark for a live inbox does not renew the window")
    void marksDoNotRenew() {
        kit.passMostOfShortTime();
        assertThat(inbox.complete(READER, generation, 9)).isTrue();
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("an attempt to open a live inbox does not renew the window")
    void openDoesNotRenew() {
        kit.passMostOfShortTime();
        assertThat(inbox.inbox().open(READER, LEASE.toMillis(), false).status()).isEqualTo(Opening.Status.LIVE);
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("follows and unfollows do not renew the window")
    void followsDoNotRenew() {
        kit.passMostOfShortTime();
        long token = inbox.beginFollow(READER, "amy");
        assertThat(inbox.endFollow(READER, "amy", token)).isTrue();
        assertExpiresInTheEnd();
    }

    private void assertExpiresInTheEnd() {
        kit.passMostOfShortTime();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("the window starts when the inbox becomes live, not when it is opened")
    void windowStartsWithComplete() {
        long building = inbox.build("building");
        kit.passMostOfShortTime();
        inbox.complete("building", building);
        kit.passMostOfShortTime();
        assertThat(inbox.state("building")).isEqualTo(State.LIVE);
    }

    @Test
    @DisplayName("a delivery for readers seen since a time reaches an inbox renewed at or after that time")
    void seenSince() {
        kit.tick();
        long before = kit.now();
        inbox.visit(READER);
        assertThat(inbox.deliverSince(before, READER, post("bob", 2))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.deliverSince(before, READER, post("bob", 2))).isEqualTo(Outcome.PRESENT);
    }

    @Test
    @DisplayName("a delivery for readers seen since a time skips a live inbox not renewed since, and an absent one")
    void notSeenSince() {
        kit.tick();
        long after = kit.now();
        inbox.slice(READER);
        assertThat(inbox.deliverSince(after, READER, post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.deliverSince(after, READER, post("bob", 1))).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.deliverSince(after, "nobody", post("bob", 2))).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName(
            "a large delivery for readers seen since a time reaches them all, among many who were not seen since or"
                    + " have no inbox")
    void fewSeenSince() {
        List<String> readers = IntStream.range(0, 100).mapToObj(i -> "r" + i).toList();
        readers.stream().filter(reader -> !reader.endsWith("7")).forEach(inbox::live);
        kit.tick();
        long after = kit.now();
        List<String> seen =
                readers.stream().filter(reader -> reader.endsWith("9")).toList();
        seen.forEach(inbox::visit);
        Post post = post("bob", 1);
        List<Outcome> expected = readers.stream()
                .map(reader -> seen.contains(reader) ? Outcome.ADDED : Outcome.NOT_LIVE)
                .toList();
        assertThat(inbox.inbox().deliver(List.of(new Delivery(post, readers, after))))
                .containsExactly(expected);
        assertThat(seen).allSatisfy(reader -> assertThat(inbox.posts(reader)).containsExactly(post));
    }

    @Test
    @DisplayName("becoming live counts as being seen")
    void seenWhenCompleted() {
        kit.tick();
        long before = kit.now();
        inbox.live("newcomer");
        assertThat(inbox.deliverSince(before, "newcomer", post("bob", 2))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("a building inbox counts as seen")
    void buildingCountsAsSeen() {
        long building = inbox.build("building");
        kit.tick();
        assertThat(inbox.deliverSince(kit.now(), "building", post("bob", 2))).isEqualTo(Outcome.ADDED);
        inbox.complete("building", building);
        assertThat(inbox.posts("building")).containsExactly(post("bob", 2));
    }

    @Test
    @DisplayName("each delivery of a batch has its own last-seen bound")
    void seenSincePerDelivery() {
        kit.tick();
        long after = kit.now();
        assertThat(inbox.inbox()
                        .deliver(List.of(
                                new Delivery(post("bob", 2), List.of(READER), after),
                                new Delivery(post("bob", 3), List.of(READER), 0))))
                .containsExactly(List.of(Outcome.NOT_LIVE), List.of(Outcome.ADDED));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 3), post("bob", 1));
    }

    private Window window(String reader) {
        return inbox.inbox().windows(List.of(reader)).get(0);
    }

    @Test
    @DisplayName("the window of a live inbox begins with the last renewal, unless the store does not tell windows")
    void tellsWindows() {
        kit.passMostOfShortTime();
        long before = kit.now();
        inbox.visit(READER);
        long after = kit.now();
        Window window = window(READER);
        if (!window.equals(Window.UNKNOWN)) {
            assertThat(window.renewedAt()).isBetween(before, after);
            assertThat(window.endsAt() - window.renewedAt())
                    .isEqualTo(kit.shortTime().toMillis());
        }
    }

    @Test
    @DisplayName("windows are told without renewing them, in the order of the readers")
    void tellingDoesNotRenew() {
        inbox.build("building");
        assertThat(inbox.inbox().windows(List.of("nobody", READER, "building", "nobody")))
                .containsExactly(Window.UNKNOWN, window(READER), Window.UNKNOWN, Window.UNKNOWN);
        kit.passMostOfShortTime();
        window(READER);
        assertExpiresInTheEnd();
    }

    @Test
    @DisplayName("an inbox that has expired has its last window, or none; one that was dropped has none")
    void tellsExpiredWindows() {
        Window live = window(READER);
        kit.outlast();
        assertThat(window(READER)).isIn(live, Window.UNKNOWN);
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        assertThat(window(READER)).isIn(live, Window.UNKNOWN);
        inbox.inbox().drop(List.of(READER));
        assertThat(window(READER)).isEqualTo(Window.UNKNOWN);
    }
}
