package io.feedkit.redis;

import static io.feedkit.redis.StartWithoutServerSupport.LIMITS;
import static io.feedkit.redis.StartWithoutServerSupport.assertUnavailable;
import static io.feedkit.redis.StartWithoutServerSupport.awaitConnections;
import static io.feedkit.redis.StartWithoutServerSupport.awaitUnavailable;
import static io.feedkit.redis.StartWithoutServerSupport.awaitWorks;
import static io.feedkit.redis.StartWithoutServerSupport.callAll;
import static io.feedkit.redis.StartWithoutServerSupport.calls;
import static io.feedkit.redis.StartWithoutServerSupport.clientOfTheHost;
import static io.feedkit.redis.StartWithoutServerSupport.connectors;
import static io.feedkit.redis.StartWithoutServerSupport.portOf;
import static io.feedkit.redis.StartWithoutServerSupport.silent;
import static io.feedkit.redis.StartWithoutServerSupport.without;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.redis.internal.start.DeferredLink;
import io.feedkit.spi.Inbox;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@DisplayName("Inboxes that start without their server")
@Timeout(300)
class StartWithoutServerTest {

    private static final int CALLERS = 64;
    private static final int INTERRUPTS = 20;
    private static final String NOT_REDIS = "HTTP/1.1 400 Bad Request\r\n\r\n";

    /** After how many bytes to cut: at the first answer, during the handshake, amid INFO, and after the check. */
    private static final List<Integer> CUTS = List.of(0, 100, 2000, 20_000);

    private final Logger logger = (Logger) LoggerFactory.getLogger(DeferredLink.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RedisServer server = RedisServer.start(Durability.FAST, "--maxmemory", "100mb");
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private final StartWithoutServerSupport late = new StartWithoutServerSupport();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        proxy.refuse();
    }

    @AfterEach
    void close() {
        logger.detachAppender(lines);
        logger.setLevel(null);
        proxy.close();
        server.close();
    }

    private List<String> loggedAt(Level level) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    @DisplayName(
            "fail at once, say why, and work when the server is there; all that is checked at start is checked then")
    void later() {
        server.kill();
        try (RedisInboxes inboxes = without(server.port())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            assertUnavailable(inbox, "127.0.0.1:" + server.port(), "refused");
            assertThat(inboxes.warnings()).isEmpty();
            assertThat(loggedAt(Level.WARN)).singleElement().asString().contains("127.0.0.1:" + server.port());

            server.restart();
            awaitWorks(inbox);
            assertThat(inboxes.warnings()).singleElement().asString().contains("maxmemory-policy is noeviction");
            assertThat(server.ask("HGETALL", "feedkit:{t0}:format")).isEqualTo("inbox\n1");
            callAll(inbox);
            await().until(() -> connectors() == 0);
            assertThat(loggedAt(Level.INFO)).singleElement().asString().contains("connected");
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("take for unknown what servers answer at last; but not servers that are there at start")
    void deliveriesSafeSince() {
        long begun = System.currentTimeMillis();
        try (RedisInboxes inboxes = without(proxy.port())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            proxy.pass();
            awaitWorks(inbox);
            long connected = inbox.deliveriesSafeSince();
            assertThat(connected).isBetween(begun, System.currentTimeMillis());
            assertThat(inbox.deliveriesSafeSince()).isEqualTo(connected);
            assertThat(server.ask("DEL", "feedkit:{00}:losses")).isEqualTo("1");
        }
        try (RedisInboxes inboxes = without(server.port())) {
            assertThat(connectors()).isZero();
            assertThat(inboxes.inbox(LIMITS).deliveriesSafeSince()).isZero();
        }
    }

    @Test
    @DisplayName("are not given unless the host chose it, nor to a caller who was interrupted")
    void notChosen() {
        String uri = "redis://127.0.0.1:" + proxy.port();
        for (RedisInboxes.Builder builder : List.of(
                RedisInboxes.builder(RedisServers.at(uri)),
                RedisInboxes.builder(RedisServers.at(uri)).startWithoutServer(false))) {
            assertThatThrownBy(builder::build).isInstanceOf(StoreUnavailableException.class);
        }
        for (int i = 0; i < INTERRUPTS; i++) {
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> without(proxy.port())).isInstanceOf(StoreUnavailableException.class);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("refuse another format when they meet it, leave it alone, and work when it is gone")
    void otherFormat() {
        server.ask("HSET", "feedkit:{t0}:format", "inbox", "2");
        try (RedisInboxes inboxes = without(proxy.port())) {
            Inbox inbox = inboxes.inbox(LIMITS);
            proxy.pass();
            awaitUnavailable(inbox, "another prefix");
            assertUnavailable(inbox, "feedkit:{t0}:format", "inbox 2", "another prefix");
            assertThatThrownBy(inbox::deliveriesSafeSince).hasRootCauseInstanceOf(FormatVersionException.class);
            assertThat(loggedAt(Level.WARN)).hasSize(2);
            assertThat(server.ask("DBSIZE")).isEqualTo("1");

            server.ask("DEL", "feedkit:{t0}:format");
            awaitWorks(inbox);
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("refuse a wrong server when they meet it, and one that is there at start at once")
    void wrongServer() throws IOException {
        try (FakeServer http = FakeServer.answering(command -> NOT_REDIS);
                FaultyProxy gate = FaultyProxy.before(portOf(http))) {
            assertThatThrownBy(() -> without(portOf(http))).isInstanceOf(UnusableServerException.class);
            gate.refuse();
            try (RedisInboxes inboxes = without(gate.port())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                gate.pass();
                awaitUnavailable(inbox, "NOT_REDIS");
                assertUnavailable(inbox, "127.0.0.1", "NOT_REDIS", "check host and port");
                List<Throwable> thrown = new ArrayList<>();
                for (ThrowingCallable call : calls(inbox)) {
                    thrown.add(catchThrowable(call));
                }
                assertThat(thrown).doesNotHaveDuplicates();
                assertThat(thrown.get(0).getCause().getCause())
                        .isInstanceOfSatisfying(
                                UnusableServerException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.NOT_REDIS));
                assertThat(loggedAt(Level.WARN)).hasSize(2);
            }
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("warn again of what was not told for ten minutes")
    void warnsAgain() {
        logger.setLevel(Level.DEBUG);
        SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
        try (RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at("redis://127.0.0.1:" + proxy.port()))
                .clock(clock)
                .startWithoutServer(true)
                .build()) {
            await().until(() -> loggedAt(Level.DEBUG).size() >= 2);
            assertThat(loggedAt(Level.WARN)).hasSize(1);
            clock.advance(Duration.ofMinutes(10));
            await().until(() -> loggedAt(Level.WARN).size() > 1);
            await().until(() -> loggedAt(Level.DEBUG).size() >= 3);
            assertThat(loggedAt(Level.WARN)).hasSize(2).allMatch(line -> line.contains("refused"));
            assertThat(inboxes.warnings()).isEmpty();
        }
    }

    @Test
    @DisplayName("go on when the server dies again before or after it was found right")
    void diesAgain() {
        for (int bytes : CUTS) {
            proxy.refuse();
            proxy.resetAll();
            try (RedisInboxes inboxes = without(proxy.port())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                proxy.pass();
                proxy.cutAfterReplyBytes(bytes);
                await().until(() -> {
                    try {
                        inbox.deliveriesSafeSince();
                        return true;
                    } catch (StoreUnavailableException e) {
                        return !e.getMessage().contains("refused");
                    }
                });
                proxy.pass();
                awaitWorks(inbox);
            }
        }
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("connect once for all callers, who all fail at once until then")
    void manyCallers() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (ServerSocket silent = silent();
                FaultyProxy gate = FaultyProxy.before(silent.getLocalPort())) {
            gate.refuse();
            try (RedisInboxes inboxes = without(gate.port())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                gate.pass();
                awaitConnections(gate, 1);
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    calls.add(callers.submit(() -> assertUnavailable(inbox, "127.0.0.1:" + gate.port())));
                }
                for (Future<?> call : calls) {
                    call.get();
                }
                assertThat(gate.connections()).isOne();
                assertThat(connectors()).isOne();
            }
            try (RedisInboxes inboxes = without(proxy.port())) {
                Inbox inbox = inboxes.inbox(LIMITS);
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    calls.add(callers.submit(() -> awaitAnswer(inbox)));
                }
                proxy.pass();
                for (Future<?> call : calls) {
                    call.get();
                }
                assertThat(proxy.connections()).isEqualTo(3);
            }
        } finally {
            callers.shutdownNow();
        }
        late.assertNoThreadsLeft();
    }

    /** Calls until there is an answer. */
    private static void awaitAnswer(Inbox inbox) {
        while (true) {
            try {
                slice(inbox, "ann", false);
                return;
            } catch (StoreUnavailableException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    @DisplayName("connect later on a client of the host's, too, and leave it open")
    void hostsClient() {
        RedisClient client = clientOfTheHost(proxy.port());
        try {
            try (RedisInboxes inboxes = RedisInboxes.builder(RedisServers.of(client))
                    .startWithoutServer(true)
                    .build()) {
                proxy.pass();
                awaitWorks(inboxes.inbox(LIMITS));
                awaitConnections(proxy, 3);
            }
            awaitConnections(proxy, 0);
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
        late.assertNoThreadsLeft();
    }
}
