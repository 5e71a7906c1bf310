package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.bus.BusConnector;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A live bus on Redis")
@Timeout(60)
class RedisLiveBusTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private final List<String> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private <T extends AutoCloseable> T closed(T resource) {
        opened.push(resource);
        return resource;
    }

    private RedisServer server() {
        return closed(RedisServer.start(Durability.FAST));
    }

    private RedisLiveBus bus(RedisLiveBus.Builder settings) {
        RedisLiveBus bus = closed(settings.build());
        bus.listen(received::add);
        return bus;
    }

    private RedisLiveBus bus(RedisServer server) {
        return bus(RedisLiveBus.builder(RedisServers.at(server.uri())).timeout(Duration.ofSeconds(1)));
    }

    private void awaitWorks(RedisLiveBus bus, String message) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            bus.send(message);
            return received.contains(message);
        });
    }

    /** The connections of clients, but for the one that asks. */
    private static long connections(RedisServer server) {
        return server.ask("CLIENT", "LIST").lines().count() - 1;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(BusConnector.THREAD))
                .count();
    }

    @Test
    @DisplayName("connects when it is used, with two connections for any number of listeners, and none after its end")
    void connections() {
        RedisServer server = server();
        RedisLiveBus bus = closed(RedisLiveBus.create(RedisServers.at(server.uri())));
        assertThat(connections(server)).isZero();
        assertThat(threads()).isZero();
        IntStream.range(0, 50).forEach(i -> bus.listen(received::add));
        bus.send("a");
        await().until(() -> received.size() == 50);
        assertThat(connections(server)).isEqualTo(2);
        assertThat(server.ask("PUBSUB", "CHANNELS")).isEqualTo("feedkit:{t0}:live");
        assertThat(threads()).isOne();
        bus.close();
        bus.close();
        assertThat(threads()).isZero();
        await().until(() -> connections(server) == 0);
    }

    @Test
    @DisplayName("starts without the server, reports why it cannot send at once, and connects by itself")
    void withoutServer() {
        RedisServer server = server();
        server.kill();
        RedisLiveBus bus = bus(server);
        long begin = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> bus.send("lost"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("bus.send", "127.0.0.1:" + server.port(), "refused");
        }
        // Each call would take a second if it waited for the time-out.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
        server.restart();
        awaitWorks(bus, "there");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("works on a client of the host's, with either protocol, and leaves it open")
    void hostsClient(ProtocolVersion protocol) {
        RedisServer server = server();
        RedisClient client = RedisClient.create(server.uri());
        try {
            client.setOptions(ClientOptions.builder()
                    .protocolVersion(protocol)
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    .build());
            RedisLiveBus bus = bus(RedisLiveBus.builder(RedisServers.of(client)));
            awaitWorks(bus, "a");
            server.kill();
            server.restart();
            awaitWorks(bus, "b");
            bus.close();
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("connects again after either connection was killed")
    void killedConnections() {
        RedisServer server = server();
        RedisLiveBus bus = bus(server);
        awaitWorks(bus, "a");
        for (String type : List.of("pubsub", "normal")) {
            server.ask("CLIENT", "KILL", "TYPE", type);
            awaitWorks(bus, "after " + type);
            assertThat(connections(server)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("reports a server that does not answer within the time-out, and continues when it does")
    void frozen() {
        RedisServer server = server();
        RedisLiveBus bus = bus(server);
        awaitWorks(bus, "a");
        server.freeze();
        for (int i = 0; i < 3; i++) {
            long begin = System.nanoTime();
            assertThatThrownBy(() -> bus.send("late")).isInstanceOf(StoreUnavailableException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(1900));
        }
        server.thaw();
        awaitWorks(bus, "b");
    }

    /** Lettuce's threads, with a proxy for each connection: the first one publishes, the second one is subscribed. */
    private ClientResources proxied(RedisServer server, List<FaultyProxy> proxies) {
        ClientResources resources = ClientResources.builder()
                .socketAddressResolver(MappingSocketAddressResolver.create((HostAndPort address) -> {
                    FaultyProxy proxy = closed(FaultyProxy.before(server.port()));
                    proxies.add(proxy);
                    return HostAndPort.of("127.0.0.1", proxy.port());
                }))
                .build();
        closed(() -> resources.shutdown().awaitUninterruptibly());
        return resources;
    }

    @Test
    @DisplayName("replaces a subscription that has fallen silent while messages can be sent")
    void silentSubscription() {
        RedisServer server = server();
        List<FaultyProxy> proxies = new CopyOnWriteArrayList<>();
        RedisLiveBus bus =
                bus(RedisLiveBus.builder(RedisServers.at(server.uri())).resources(proxied(server, proxies)));
        awaitWorks(bus, "a");
        assertThat(proxies).as("one for each connection").hasSize(2);
        proxies.get(1).blackHole(Direction.REPLIES);
        bus.send("sent, and not received");
        awaitWorks(bus, "b");
        assertThat(proxies).hasSize(4);
        assertThat(received).doesNotContain("sent, and not received");
    }

    @Test
    @Tag("survival")
    @DisplayName("replaces a silent subscription even if nothing is sent, by messages that no listener gets")
    void silentListener() {
        RedisServer server = server();
        List<FaultyProxy> proxies = new CopyOnWriteArrayList<>();
        RedisLiveBus unused =
                bus(RedisLiveBus.builder(RedisServers.at(server.uri())).resources(proxied(server, proxies)));
        await().until(() -> connections(server) == 2);
        proxies.get(1).blackHole(Direction.REPLIES);
        await().atMost(LIMIT).until(() -> proxies.size() == 4);
        assertThat(received).isEmpty();
    }

    @Test
    @DisplayName("names the channel that a user may not use, and works once the user may")
    void forbiddenChannel() {
        RedisServer server = server();
        RedisClient admin = RedisClient.create(server.uri());
        try {
            AclSetuserArgs rights = AclSetuserArgs.Builder.on()
                    .addPassword("secret")
                    .allCommands()
                    .allKeys()
                    .resetChannels();
            admin.connect().sync().aclSetuser("mute", rights);
            RedisLiveBus bus = bus(
                    RedisLiveBus.builder(RedisServers.at(server.uri().replace("redis://", "redis://mute:secret@"))));
            assertThatThrownBy(() -> bus.send("a"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("may not use the channel feedkit:{t0}:live", "&feedkit:{t0}:live");
            admin.connect()
                    .sync()
                    .aclSetuser("mute", AclSetuserArgs.Builder.on().channelPattern("feedkit:*"));
            awaitWorks(bus, "b");
        } finally {
            admin.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("gives up connecting when it is closed")
    void closedWhileConnecting() {
        RedisServer server = server();
        server.freeze();
        RedisLiveBus bus = closed(RedisLiveBus.builder(RedisServers.at(server.uri()))
                .timeout(Duration.ofMinutes(10))
                .build());
        bus.listen(received::add);
        await().until(() -> threads() == 1);
        long begin = System.nanoTime();
        bus.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(threads()).isZero();
        assertThatThrownBy(() -> bus.send("a")).hasMessageContaining("this bus is closed");
        server.thaw();
    }

    @Test
    @DisplayName("refuses messages that no bus need carry")
    void refusedMessages() {
        RedisLiveBus bus = closed(RedisLiveBus.create(RedisServers.at("redis://127.0.0.1:1")));
        assertThatThrownBy(() -> bus.send("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bus.send("x".repeat(7001))).isInstanceOf(IllegalArgumentException.class);
        assertThat(bus).hasToString("RedisLiveBus[feedkit]");
    }
}
