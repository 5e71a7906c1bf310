package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.commands;
import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A server that loses a key, its time, or is given a foreign key")
class LostKeysTest {

    private static final String ANN = "ann";
    private static final Post POST = Post.of("bob", "1", 1);

    private final TestInboxes inboxes = new TestInboxes();
    private final Inbox inbox = inboxes.inbox(new InboxLimits(100, 60_000));

    @AfterEach
    void close() {
        inboxes.close();
    }

    private long filled() {
        long generation = live(inbox, ANN);
        assertThat(deliver(inbox, ANN, POST)).isEqualTo(Outcome.ADDED);
        return generation;
    }

    @Test
    @DisplayName("without the list there is no inbox, and nothing that was meant for it is kept")
    void listLost() {
        long generation = filled();
        commands().del(inboxes.inboxKey(ANN));
        assertThat(slice(inbox, ANN, true).state()).isEqualTo(State.ABSENT);
        assertThat(deliver(inbox, ANN, POST)).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.complete(ANN, generation, 1, 0)).isFalse();
        assertThat(commands().exists(inboxes.inboxKey(ANN))).isZero();
    }

    @Test
    @DisplayName("without the list the pending follows and their epoch stand")
    void listLostPendingFollowsKept() {
        filled();
        long token = inbox.beginFollow(ANN, List.of("eve"));
        commands().del(inboxes.inboxKey(ANN));
        Slice slice = slice(inbox, ANN, true);
        assertThat(slice.state()).isEqualTo(State.ABSENT);
        assertThat(slice.pending()).isEqualTo(Set.of("eve"));
        assertThat(slice.epoch()).isEqualTo(token);
        live(inbox, ANN);
        assertThat(slice(inbox, ANN, true).pending()).isEqualTo(Set.of("eve"));
        assertThat(inbox.endFollow(ANN, List.of("eve"), token, 0)).isEmpty();
    }

    @Test
    @DisplayName("without the pending follows there is no inbox either, since it relies on them")
    void pendingFollowsLost() {
        filled();
        inbox.beginFollow(ANN, List.of("eve"));
        commands().del(inboxes.pendingFollowsKey(ANN));
        Slice slice = slice(inbox, ANN, true);
        assertThat(slice.state()).isEqualTo(State.ABSENT);
        assertThat(slice.epoch()).isZero();
        assertThat(deliver(inbox, ANN, POST)).isEqualTo(Outcome.NOT_LIVE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"begin", "end", "complete", "open", "purge"})
    @DisplayName("no step revives an inbox whose pending follows were lost")
    void pendingFollowsLostForGood(String step) {
        long lost = filled();
        long token = inbox.beginFollow(ANN, List.of("eve"));
        commands().del(inboxes.pendingFollowsKey(ANN));
        switch (step) {
            case "begin" -> inbox.beginFollow(ANN, List.of("amy"));
            case "end" ->
                assertThat(inbox.endFollow(ANN, List.of("eve"), token, 0)).containsExactly("eve");
            case "complete" -> assertThat(inbox.complete(ANN, lost, 2, 1)).isFalse();
            case "open" -> assertThat(inbox.open(ANN, 60_000, false).status()).isEqualTo(Opening.Status.OPENED);
            default -> assertThat(inbox.purge(ANN, List.of("bob"), token)).isFalse();
        }
        Slice slice = slice(inbox, ANN, true);
        assertThat(slice.generation()).isNotEqualTo(lost);
        assertThat(slice.epoch()).isNotEqualTo(token);
        assertThat(slice.state()).isNotEqualTo(State.LIVE);
    }

    @Test
    @DisplayName("pending follows of another time, as from a backup, do not belong to the inbox")
    void foreignPendingFollows() {
        filled();
        inbox.beginFollow(ANN, List.of("eve"));
        byte[] backup = commands().dump(inboxes.pendingFollowsKey(ANN));
        inbox.beginFollow(ANN, List.of("amy"));
        commands().del(inboxes.pendingFollowsKey(ANN));
        commands().restore(inboxes.pendingFollowsKey(ANN), 0, backup);
        assertThat(slice(inbox, ANN, true).state()).isEqualTo(State.ABSENT);
        assertThat(slice(inbox, ANN, true).pending()).isEqualTo(Set.of("eve"));
    }

    @Test
    @DisplayName("whoever finds a window over ends the inbox for good, also if the clock is set back")
    void clockSetBack() {
        filled();
        inboxes.clock().advance(Duration.ofMillis(60_001));
        assertThat(deliver(inbox, ANN, POST)).isEqualTo(Outcome.NOT_LIVE);
        inboxes.clock().advance(Duration.ofMillis(-2));
        assertThat(slice(inbox, ANN, true).state()).isEqualTo(State.ABSENT);
        assertThat(commands().exists(inboxes.inboxKey(ANN))).isZero();
    }

    @Test
    @DisplayName("when the last pending follow is gone, so is the key")
    void noPendingFollowsNoKey() {
        filled();
        long token = inbox.beginFollow(ANN, List.of("eve"));
        assertThat(commands().exists(inboxes.pendingFollowsKey(ANN))).isOne();
        assertThat(inbox.endFollow(ANN, List.of("eve"), token, 0)).isEmpty();
        assertThat(commands().exists(inboxes.pendingFollowsKey(ANN))).isZero();
        assertThat(slice(inbox, ANN, true).posts()).containsExactly(POST);
    }

    @Test
    @DisplayName("what is not an inbox of this version is refused, with its key named, and left alone")
    void foreignKey() {
        commands().rpush(inboxes.inboxKey(ANN), "something else");
        assertThatThrownBy(() -> slice(inbox, ANN, true))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(inboxes.inboxKey(ANN));
        assertThatThrownBy(() -> deliver(inbox, ANN, POST))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("not an inbox of version 1");
        assertThat(commands().lrange(inboxes.inboxKey(ANN), 0, -1)).isEqualTo(List.of("something else"));
    }
}
