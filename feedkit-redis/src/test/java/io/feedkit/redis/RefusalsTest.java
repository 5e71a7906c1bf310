package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@DisplayName("A server that refuses writes")
@ParameterizedClass(allowZeroInvocations = true)
@OnPrograms
class RefusalsTest {

    private static final InboxLimits LIMITS = new InboxLimits(10, 3_600_000);
    private static final Post FIRST = Post.of("bob", "1", 1);
    private static final Post SECOND = Post.of("bob", "2", 2);

    private final RedisServer server;
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisInboxes inboxes;
    private final Inbox inbox;

    RefusalsTest(RedisProgram program) {
        server = RedisServer.start(program, Durability.FAST);
        inboxes =
                RedisInboxes.builder(RedisServers.at(server.uri())).clock(clock).build();
        inbox = inboxes.inbox(LIMITS);
        inbox.claim("one");
        live(inbox, "ann");
        deliver(inbox, "ann", FIRST);
        inbox.beginFollow("warm", List.of("bob"));
    }

    @AfterEach
    void close() {
        inboxes.close();
        server.close();
    }

    private void assertRefused(String code) {
        assertRefused(code, () -> deliver(inbox, "ann", SECOND));
        assertRefused(code, () -> inbox.beginFollow("ann", List.of("bob")));
    }

    private static void assertRefused(String code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class).hasMessageContaining(code);
    }

    /** The owner is still known. A read succeeds, although it has a renewal to write, and then an inbox to close. */
    private void assertRead() {
        inbox.claim("one");
        assertThatThrownBy(() -> inbox.claim("two")).isInstanceOf(ForeignStoreException.class);
        clock.advance(Duration.ofMinutes(30));
        assertThat(slice(inbox, "ann", true).posts()).containsExactly(FIRST);
        clock.advance(Duration.ofHours(2));
        assertThat(slice(inbox, "ann", true).state()).isEqualTo(State.ABSENT);
    }

    private void assertRecovered() {
        live(inbox, "ann");
        assertThat(slice(inbox, "ann", false).pending()).isEmpty();
        assertThat(deliver(inbox, "ann", SECOND)).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("because it became a replica has done nothing, and is still read")
    void replica() {
        server.ask("REPLICAOF", "127.0.0.1", "1");
        assertRefused("READONLY");
        assertRead();
        server.ask("REPLICAOF", "NO", "ONE");
        assertRecovered();
    }

    @Test
    @DisplayName("because too few replicas are in step has done nothing, and is still read")
    void tooFewReplicas() {
        server.ask("CONFIG", "SET", "min-replicas-to-write", "1");
        assertRefused("NOREPLICAS");
        assertRead();
        server.ask("CONFIG", "SET", "min-replicas-to-write", "0");
        assertRecovered();
    }

    @Test
    @DisplayName("because its memory is full has done nothing, and is still read")
    void full() {
        server.ask("CONFIG", "SET", "maxmemory", "1");
        assertRefused("OOM", () -> deliver(inbox, "ann", SECOND));
        assertRead();
        server.ask("CONFIG", "SET", "maxmemory", "0");
        assertRecovered();
    }

    @Test
    @DisplayName("and reads, because its master is gone, has done nothing")
    void masterDown() {
        server.ask("CONFIG", "SET", "replica-serve-stale-data", "no");
        server.ask("REPLICAOF", "127.0.0.1", "1");
        assertRefused("MASTERDOWN");
        assertRefused("MASTERDOWN", () -> slice(inbox, "ann", true));
        server.ask("REPLICAOF", "NO", "ONE");
        assertRecovered();
    }
}
