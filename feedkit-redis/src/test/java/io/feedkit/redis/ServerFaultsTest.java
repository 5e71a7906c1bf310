package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A server behind a bad network, or gone")
@Timeout(300)
class ServerFaultsTest {

    private static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final int INTERRUPTS = 500;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Post FIRST = Post.of("bob", "1", 1);
    private static final Post SECOND = Post.of("bob", "2", 2);

    private final RedisServer server = RedisServer.start(Durability.DURABLE);
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private final RedisInboxes inboxes = inboxes(proxy.port());
    private final RedisInboxes beside = inboxes(server.port());
    private final Inbox inbox = inboxes.inbox(LIMITS);

    private static RedisInboxes inboxes(int port) {
        return RedisInboxes.builder(RedisServers.at(RedisURI.create("127.0.0.1", port)))
                .timeout(TIMEOUT)
                .build();
    }

    @AfterEach
    void close() {
        inboxes.close();
        beside.close();
        proxy.close();
        server.close();
    }

    /** A server that has never seen a script has certainly not executed it. */
    @BeforeEach
    void teachScripts() {
        live(inbox, "warm");
        deliver(inbox, "warm", FIRST);
        inbox.beginFollow("warm", List.of("bob"));
    }

    /** Waits until the client has reconnected. A thread makes all its single calls over the same connection. */
    private void recovered() {
        await().pollInSameThread().ignoreExceptions().until(() -> slice(inbox, "ann", false) != null);
    }

    @Test
    @DisplayName("a lost answer leaves the outcome of a write unknown, and makes a read fail, in bounded time")
    void lostAnswers() {
        live(inbox, "ann");
        proxy.blackHole(Direction.REPLIES);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> deliver(inbox, "ann", FIRST))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("inbox.deliver");
        assertThatThrownBy(() -> slice(inbox, "ann", true))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("inbox.slice");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
        assertThat(slice(beside.inbox(LIMITS), "ann", false).posts()).containsExactly(FIRST);
        proxy.resetAll();
        proxy.pass();
        recovered();
        assertThat(deliver(inbox, "ann", FIRST)).isEqualTo(Outcome.PRESENT);
    }

    @Test
    @DisplayName("a batch whose answers are lost fails in bounded time, however long it is")
    void lostAnswersOfMany() {
        live(inbox, "ann");
        List<Delivery> deliveries = IntStream.range(1, 900)
                .mapToObj(n -> new Delivery(Post.of("bob", "p" + n, n), List.of("ann"), 0))
                .toList();
        proxy.blackHole(Direction.REPLIES);
        long begun = System.nanoTime();
        assertThatThrownBy(() -> inbox.deliver(deliveries)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
    }

    @Test
    @DisplayName("what never reached the server is not sent again by itself after a reconnect")
    void notReplayed() {
        live(inbox, "ann");
        proxy.blackHole(Direction.REQUESTS);
        assertThatThrownBy(() -> deliver(inbox, "ann", FIRST)).isInstanceOf(OutcomeUnknownException.class);
        proxy.resetAll();
        proxy.pass();
        recovered();
        assertThat(deliver(inbox, "ann", SECOND)).isEqualTo(Outcome.ADDED);
        assertThat(slice(inbox, "ann", false).posts()).containsExactly(SECOND);
    }

    @Test
    @DisplayName("calls that are under way when a connection is cut fail, and none is sent again")
    void cutUnderWay() {
        live(inbox, "ann");
        proxy.cutAfterReplyBytes(1);
        assertThatThrownBy(() -> inbox.beginFollow("ann", List.of("bob"))).isInstanceOf(OutcomeUnknownException.class);
        long epoch = slice(beside.inbox(LIMITS), "ann", false).epoch();
        long later = beside.inbox(LIMITS).beginFollow("ann", List.of("cat"));
        assertThat(later).isNotEqualTo(epoch);
        proxy.pass();
        recovered();
        assertThat(slice(inbox, "ann", false).epoch()).isEqualTo(later);
        assertThat(slice(inbox, "ann", false).pending()).containsExactlyInAnyOrder("bob", "cat");
    }

    @Test
    @DisplayName("a server that is down has done nothing, and one that is back has what it answered for")
    void killed() {
        live(inbox, "ann");
        assertThat(deliver(inbox, "ann", FIRST)).isEqualTo(Outcome.ADDED);
        server.kill();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> deliver(inbox, "ann", SECOND)).isInstanceOf(StoreUnavailableException.class));
        assertThatThrownBy(() -> inboxes(server.port()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("redis.connect");
        server.restart();
        recovered();
        assertThat(slice(inbox, "ann", true).posts()).containsExactly(FIRST);
    }

    @Test
    @DisplayName("an interrupted caller does not wait, and stays interrupted")
    void interrupted() {
        live(inbox, "ann");
        proxy.blackHole(Direction.REPLIES);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> deliver(inbox, "ann", FIRST)).isInstanceOf(OutcomeUnknownException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    @DisplayName("an interrupt is never lost, also while a script's text is on its way")
    void interruptedDuringText() {
        Random random = new Random(3);
        Thread caller = Thread.currentThread();
        Inbox direct = beside.inbox(LIMITS);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int n = 0; n < INTERRUPTS; n++) {
                server.ask("SCRIPT", "FLUSH");
                long pause = random.nextLong(LONGEST_PAUSE_NANOS);
                Future<?> interrupting = other.submit(() -> {
                    LockSupport.parkNanos(pause);
                    caller.interrupt();
                });
                try {
                    direct.beginFollow("ann", List.of("bob" + n));
                } catch (FeedKitException e) {
                    assertThat(e.isRetryable()).isTrue();
                }
                while (!interrupting.isDone()) {
                    Thread.onSpinWait();
                }
                assertThat(Thread.interrupted()).as("interrupt %d", n).isTrue();
            }
        } finally {
            other.shutdownNow();
        }
    }
}
