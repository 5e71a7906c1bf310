package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.testservers.Certificate;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A connection that is encrypted")
@Timeout(300)
class EncryptedConnectionTest {

    private static final String TRUST = "javax.net.ssl.trustStore";
    private static final String PASSWORD = "javax.net.ssl.trustStorePassword";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 40};

    private static final RedisServer SERVER = RedisServer.shared();
    private static final Certificate CERTIFICATE = Certificate.of("ip:127.0.0.1");
    private static final Certificate ELSEWHERE = Certificate.of("dns:feeds.internal");
    private static final FaultyProxy PROXY = FaultyProxy.encrypted(SERVER.port(), CERTIFICATE);
    private static final FaultyProxy OTHER = FaultyProxy.encrypted(SERVER.port(), ELSEWHERE);

    private Duration timeout = TIMEOUT;

    @AfterEach
    void trustNobody() {
        System.clearProperty(TRUST);
        System.clearProperty(PASSWORD);
    }

    @AfterAll
    static void end() {
        PROXY.close();
        OTHER.close();
        CERTIFICATE.close();
        ELSEWHERE.close();
    }

    /** The JVM trusts the certificate unless a client says otherwise. */
    private static void trust(Certificate certificate) {
        System.setProperty(TRUST, certificate.trustStore().toString());
        System.setProperty(PASSWORD, certificate.password());
    }

    private static String uri(FaultyProxy proxy) {
        return "rediss://127.0.0.1:" + proxy.port();
    }

    private static void assertWorks(RedisFeedStore.Builder builder) {
        try (RedisFeedStore store = builder.prefix(TestInboxes.newPrefix()).build();
                FeedEngine feed = FeedEngine.builder(store).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "p1");
            assertThat(feed.read("ann", PageRequest.first(10)).items()).hasSize(1);
        }
    }

    private List<Consumer<String>> doors() {
        return List.of(
                uri -> RedisInboxes.builder(RedisServers.at(uri))
                        .timeout(timeout)
                        .build()
                        .close(),
                uri -> RedisFeedStore.builder(RedisServers.at(uri))
                        .timeout(timeout)
                        .build()
                        .close());
    }

    private void assertUnusable(String uri, Reason reason, String... message) {
        doors().forEach(door -> assertThatThrownBy(() -> door.accept(uri))
                .isInstanceOfSatisfying(UnusableServerException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e).hasMessageContaining("127.0.0.1").hasMessageContainingAll(message);
                }));
    }

    private static List<String> kinds(String uri) {
        String scheme = uri.substring(0, uri.indexOf(':'));
        String rest = uri.substring(uri.indexOf(':'));
        return List.of(uri, scheme + "-cluster" + rest, scheme + "-sentinel" + rest + "#feedkit");
    }

    @Test
    @DisplayName("works with certificates of the host's, which the JVM does not trust")
    void trustedByHost() {
        SslOptions options = SslOptions.builder()
                .jdkSslProvider()
                .truststore(CERTIFICATE.trustStore().toFile(), CERTIFICATE.password())
                .build();
        assertWorks(RedisFeedStore.builder(RedisServers.at(uri(PROXY)).withSsl(options))
                .timeout(TIMEOUT));
        assertThatThrownBy(() -> RedisServers.at("redis://127.0.0.1").withSsl(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have TLS");
    }

    @Test
    @DisplayName("works if the JVM trusts the certificate, and again after it was lost")
    void trustedByJvm() {
        trust(CERTIFICATE);
        RedisInboxes.builder(RedisServers.at(uri(PROXY)))
                .timeout(TIMEOUT)
                .build()
                .close();
        assertWorks(RedisFeedStore.builder(RedisServers.at(uri(PROXY))).timeout(TIMEOUT));
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(uri(PROXY)))
                        .timeout(TIMEOUT)
                        .build();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            feed.readAuthor("bob", PageRequest.first(10));
            PROXY.resetAll();
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptionsInstanceOf(FeedKitException.class)
                    .until(() -> feed.readAuthor("bob", PageRequest.first(10)), page -> true);
        }
    }

    @Test
    @DisplayName("works with a client of the host's that trusts the certificate, whomever the JVM trusts")
    void trustedByClient() {
        RedisClient client = RedisClient.create(uri(PROXY));
        try {
            client.setOptions(ClientOptions.builder()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    .sslOptions(SslOptions.builder()
                            .jdkSslProvider()
                            .truststore(CERTIFICATE.trustStore().toFile(), CERTIFICATE.password())
                            .build())
                    .build());
            assertWorks(RedisFeedStore.builder(RedisServers.of(client)).timeout(TIMEOUT));
        } finally {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
    }

    @Test
    @DisplayName("is refused with a certificate that nobody trusts, unless the address says that none is asked for")
    void untrusted() {
        for (String uri : kinds(uri(PROXY))) {
            assertUnusable(uri, Reason.NOT_TRUSTED, "certification path", "trustStore");
        }
        assertUnusable(uri(PROXY) + "?verifyPeer=CA", Reason.NOT_TRUSTED, "certification path");
        assertWorks(RedisFeedStore.builder(RedisServers.at(uri(PROXY) + "?verifyPeer=NONE"))
                .timeout(TIMEOUT));
    }

    @Test
    @DisplayName("is refused with a certificate for another host, unless the address says that any host will do")
    void otherHost() {
        trust(ELSEWHERE);
        for (String uri : kinds(uri(OTHER))) {
            assertUnusable(uri, Reason.NOT_TRUSTED, "127.0.0.1 found", "use the host name");
        }
        assertWorks(RedisFeedStore.builder(RedisServers.at(uri(OTHER) + "?verifyPeer=CA"))
                .timeout(TIMEOUT));
        assertUnusable(uri(PROXY) + "?verifyPeer=CA", Reason.NOT_TRUSTED, "trustStore");
    }

    @Test
    @DisplayName(
            "is needed where the address does not say so, which a server may say or not before it ends the connection")
    void plainAddress() throws IOException {
        for (String uri : kinds("redis://127.0.0.1:" + PROXY.port())) {
            doors().forEach(door -> assertThatThrownBy(() -> door.accept(uri))
                    .isInstanceOf(FeedKitException.class)
                    .hasMessageContainingAll("127.0.0.1", "whether it is encrypted (rediss)"));
        }
        try (ServerSocket encrypted = answering(ALERT)) {
            for (String uri : kinds("redis://127.0.0.1:" + encrypted.getLocalPort())) {
                assertUnusable(uri, Reason.NOT_REDIS, "whether it is encrypted (rediss)");
            }
        }
    }

    @Test
    @DisplayName("is not what a plain server offers, which says nothing")
    void plainServer() {
        timeout = Duration.ofSeconds(1);
        for (String uri : kinds("rediss://127.0.0.1:" + SERVER.port())) {
            doors().forEach(door -> assertThatThrownBy(() -> door.accept(uri))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("127.0.0.1", "timed out", "whether it is encrypted (rediss) or not"));
        }
    }

    @Test
    @DisplayName("is not what something offers that answers in plain text, or refuses")
    void refused() throws IOException {
        try (ServerSocket plain = answering("-ERR unknown command\r\n".getBytes(StandardCharsets.US_ASCII));
                ServerSocket refusing = answering(ALERT)) {
            for (String uri : kinds("rediss://127.0.0.1:" + plain.getLocalPort())) {
                assertUnusable(uri, Reason.NOT_REDIS, "whether it is encrypted (rediss)");
            }
            for (String uri : kinds("rediss://127.0.0.1:" + refusing.getLocalPort())) {
                assertUnusable(uri, Reason.NOT_TRUSTED, "handshake_failure");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "rediss"})
    @DisplayName("may be what is missing, or too much, where a connection is ended without a word")
    void ended(String scheme) throws IOException {
        try (ServerSocket silent = answering(new byte[0])) {
            for (String uri : kinds(scheme + "://127.0.0.1:" + silent.getLocalPort())) {
                doors().forEach(door -> assertThatThrownBy(() -> door.accept(uri))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll("127.0.0.1", "whether it is encrypted (rediss) or not (redis)"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE})
    @DisplayName("may be ended before the client looks at it: it is set up again, and told as one that"
            + " was reached if that is always so")
    void endedAtOnce(int times) {
        AtomicInteger left = new AtomicInteger(times);
        ClientResources resources = ClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        if (left.getAndDecrement() > 0) {
                            channel.pipeline().remove(RedisHandshakeHandler.class);
                        }
                    }
                })
                .build();
        RedisClient client = RedisClient.create(resources, "redis://127.0.0.1:" + SERVER.port());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build());
        try {
            RedisFeedStore.Builder builder =
                    RedisFeedStore.builder(RedisServers.of(client)).timeout(TIMEOUT);
            if (times == 1) {
                assertWorks(builder);
                assertThat(left).hasNonPositiveValue();
            } else {
                assertThatThrownBy(builder::build)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll("127.0.0.1", "the server was reached");
                assertThat(left).hasValueLessThanOrEqualTo(times - 3);
            }
        } finally {
            client.shutdown(Duration.ZERO, TIMEOUT);
            assertThat(resources.shutdown(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    /** A server that reads what a client says first, answers, and closes the connection. */
    private static ServerSocket answering(byte[] answer) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(listener, answer));
        thread.setDaemon(true);
        thread.start();
        return listener;
    }

    private static void answer(ServerSocket listener, byte[] answer) {
        byte[] said = new byte[10_000];
        while (!listener.isClosed()) {
            try (Socket client = listener.accept()) {
                InputStream in = client.getInputStream();
                if (in.read(said) > 0) {
                    client.getOutputStream().write(answer);
                }
            } catch (IOException e) {
                // The client or the test has ended.
            }
        }
    }
}
