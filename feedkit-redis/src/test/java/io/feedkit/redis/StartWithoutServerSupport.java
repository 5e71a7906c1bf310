package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testservers.FaultyProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What tests of a start without the server share: ways to connect, and checks that nothing is left behind. */
final class StartWithoutServerSupport {

    static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);
    static final Duration PROMPT = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Post POST = Post.of("bob", "1", 1);
    private static final String CONNECTOR = "feedkit-redis-connect";

    /** A time-out that no test reaches unless a call hangs. */
    private static final Duration HANG = Duration.ofMinutes(10);

    private final Set<Thread> before = threads();

    static RedisInboxes without(int port) {
        return without("redis://127.0.0.1:" + port);
    }

    static RedisInboxes without(String uri) {
        return RedisInboxes.builder(RedisServers.at(uri))
                .timeout(HANG)
                .startWithoutServer(true)
                .build();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("(" + CONNECTOR + "|lettuce).*"))
                .collect(Collectors.toSet());
    }

    static long connectors() {
        return threads().stream()
                .filter(thread -> thread.getName().equals(CONNECTOR))
                .count();
    }

    /** Lettuce's threads end a moment after they were told to. */
    void assertNoThreadsLeft() {
        assertThat(connectors()).isZero();
        await().untilAsserted(() -> {
            Set<Thread> left = new HashSet<>(threads());
            left.removeAll(before);
            assertThat(left).isEmpty();
        });
    }

    /** Each client has one timer. */
    void awaitOneClient() {
        await().until(() -> threads().stream()
                        .filter(thread ->
                                !before.contains(thread) && thread.getName().startsWith("lettuce-timer"))
                        .count()
                == 1);
    }

    static void closePromptly(RedisInboxes inboxes) {
        long begun = System.nanoTime();
        inboxes.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PROMPT);
    }

    /** Whether an attempt is waiting for a connection. */
    static boolean isConnecting() {
        return threads().stream()
                .filter(thread -> thread.getName().equals(CONNECTOR))
                .flatMap(thread -> Stream.of(thread.getStackTrace()))
                .anyMatch(frame -> frame.getMethodName().equals("getConnection"));
    }

    static void awaitWorks(Inbox inbox) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> slice(inbox, "ann", false) != null);
        live(inbox, "ann");
        assertThat(deliver(inbox, "ann", POST)).isEqualTo(Outcome.ADDED);
    }

    static List<ThrowingCallable> calls(Inbox inbox) {
        List<String> readers = List.of("ann");
        return List.of(
                () -> inbox.deliver(List.of(new Delivery(POST, readers, 0))),
                () -> inbox.deliver(List.of(new Delivery(
                        POST, IntStream.range(0, 1000).mapToObj(i -> "r" + i).toList(), 0))),
                () -> inbox.slice(List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 10, true))),
                () -> inbox.open("ann", 1000, true),
                () -> inbox.merge("ann", 1, List.of(POST), Position.LOWEST),
                () -> inbox.complete("ann", 1, 1, 1),
                () -> inbox.retract(List.of(new Retraction(POST, readers))),
                () -> inbox.purge("ann", Set.of("bob"), 1),
                () -> inbox.beginFollow("ann", Set.of("bob")),
                () -> inbox.endFollow("ann", Set.of("bob"), 1, 1),
                () -> inbox.drop(readers),
                inbox::deliveriesSafeSince);
    }

    /** Makes each call, also for readers in many slots. */
    static void callAll(Inbox inbox) {
        assertThat(calls(inbox)).allSatisfy(call -> assertThatCode(call).doesNotThrowAnyException());
    }

    static void assertUnavailable(Inbox inbox, String... message) {
        for (ThrowingCallable call : calls(inbox)) {
            assertThatThrownBy(call).isInstanceOfSatisfying(StoreUnavailableException.class, e -> {
                assertThat(e.isRetryable()).isTrue();
                assertThat(e).hasMessageContainingAll(message);
                assertThat(e.operation()).startsWith("inbox.");
            });
        }
    }

    /** Waits until the last attempt has failed for this reason. */
    static void awaitUnavailable(Inbox inbox, String... message) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThatThrownBy(inbox::deliveriesSafeSince)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll(message));
    }

    static int portOf(FakeServer server) {
        return Integer.parseInt(server.uri().substring(server.uri().lastIndexOf(':') + 1));
    }

    static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    static RedisClient clientOfTheHost(int port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build());
        return client;
    }

    static void awaitConnections(FaultyProxy proxy, int count) {
        await().atMost(PROMPT).until(() -> proxy.connections() == count);
    }
}
