package io.feedkit.redis;

import static io.feedkit.redis.StartWithoutServerSupport.LIMITS;
import static io.feedkit.redis.StartWithoutServerSupport.PROMPT;
import static io.feedkit.redis.StartWithoutServerSupport.assertUnavailable;
import static io.feedkit.redis.StartWithoutServerSupport.awaitConnections;
import static io.feedkit.redis.StartWithoutServerSupport.clientOfTheHost;
import static io.feedkit.redis.StartWithoutServerSupport.closePromptly;
import static io.feedkit.redis.StartWithoutServerSupport.connectors;
import static io.feedkit.redis.StartWithoutServerSupport.portOf;
import static io.feedkit.redis.StartWithoutServerSupport.silent;
import static io.feedkit.redis.StartWithoutServerSupport.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.spi.Inbox;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Inboxes that are closed while they connect")
@Timeout(300)
class CloseWhileConnectingTest {

    private static final int MOMENTS = 10;
    private static final long LONGEST_MOMENT_NANOS = 200_000_000;

    private final RedisServer server = RedisServer.start(Durability.FAST);
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private final StartWithoutServerSupport late = new StartWithoutServerSupport();

    @BeforeEach
    void refuse() {
        proxy.refuse();
    }

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    @Test
    @DisplayName("between two attempts do nothing any more; a second time changes nothing")
    void betweenAttempts() {
        RedisInboxes inboxes = without(proxy.port());
        Inbox inbox = inboxes.inbox(LIMITS);
        closePromptly(inboxes);
        closePromptly(inboxes);
        assertUnavailable(inbox, "this store is closed");
        late.assertNoThreadsLeft();
    }

    @Test
    @DisplayName("to a server that says nothing end the attempt and its threads, also on an interrupted thread")
    void silentServer() throws IOException {
        try (ServerSocket silent = silent();
                FaultyProxy hanging = FaultyProxy.before(silent.getLocalPort())) {
            for (boolean interrupted : new boolean[] {false, true}) {
                hanging.refuse();
                RedisInboxes inboxes = without(hanging.port());
                hanging.pass();
                awaitConnections(hanging, 1);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                closePromptly(inboxes);
                assertThat(Thread.interrupted()).isEqualTo(interrupted);
                late.assertNoThreadsLeft();
                await().until(() -> {
                    hanging.resetAll();
                    return hanging.connections() == 0;
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HELLO", "INFO", "EVALSHA"})
    @DisplayName("to a server that does not answer a command end the attempt and its threads")
    void unanswered(String unanswered) throws IOException {
        try (FakeServer fake = FakeServer.answering(command -> command.equals(unanswered)
                        ? ""
                        : switch (command) {
                            case "INFO" -> FakeServer.bulk("redis_version:7.2.4\r\nrole:master\r\n");
                            case "PING" -> "+PONG\r\n";
                            default -> "-ERR unknown command `" + command + "`, with args beginning with: \r\n";
                        });
                FaultyProxy hanging = FaultyProxy.before(portOf(fake))) {
            hanging.refuse();
            RedisInboxes inboxes = without(hanging.port());
            hanging.pass();
            await().atMost(PROMPT).until(() -> fake.asked().contains(unanswered));
            closePromptly(inboxes);
            late.assertNoThreadsLeft();
        }
    }

    @Test
    @DisplayName("over a network that lets nothing through end the attempt and its threads")
    void blackHole() throws IOException {
        server.kill();
        RedisInboxes inboxes = without(server.port());
        List<Socket> filling = new ArrayList<>();
        try (ServerSocket full = new ServerSocket()) {
            full.setReuseAddress(true);
            full.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 1);
            for (int i = 0; i < 10; i++) {
                Socket socket = new Socket();
                filling.add(socket);
                try {
                    socket.connect(full.getLocalSocketAddress(), 100);
                } catch (IOException e) {
                    break;
                }
            }
            await().atMost(PROMPT).until(StartWithoutServerSupport::isConnecting);
            closePromptly(inboxes);
            late.assertNoThreadsLeft();
        } finally {
            for (Socket socket : filling) {
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("at any moment leave neither threads nor connections")
    void anyMoment() {
        Random random = new Random(20);
        for (int i = 0; i < MOMENTS; i++) {
            RedisInboxes inboxes = without(proxy.port());
            proxy.pass();
            LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_MOMENT_NANOS));
            closePromptly(inboxes);
            proxy.refuse();
        }
        late.assertNoThreadsLeft();
        awaitConnections(proxy, 0);
    }

    @Test
    @DisplayName("with a client of the host's to a server that says nothing end the attempt, and leave the client open")
    void hostsClient() throws IOException {
        try (ServerSocket silent = silent();
                FaultyProxy hanging = FaultyProxy.before(silent.getLocalPort())) {
            RedisClient client = clientOfTheHost(hanging.port());
            try {
                hanging.refuse();
                RedisInboxes inboxes = RedisInboxes.builder(RedisServers.of(client))
                        .startWithoutServer(true)
                        .build();
                assertUnavailable(inboxes.inbox(LIMITS), "127.0.0.1", "host's client", "refused");
                hanging.pass();
                awaitConnections(hanging, 1);
                closePromptly(inboxes);
                assertThat(connectors()).isZero();
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            }
        }
        late.assertNoThreadsLeft();
    }
}
