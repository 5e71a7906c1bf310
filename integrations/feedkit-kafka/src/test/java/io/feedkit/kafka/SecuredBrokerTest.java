package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import io.feedkit.testservers.Certificate;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Tag("matrix")
@DisplayName("A broker with TLS that asks for a password")
@Timeout(120)
class SecuredBrokerTest {

    private static final String PASSWORD = "s3cret-of-ann";

    private static Certificate certificate;
    private static Certificate other;
    private static KafkaServer server;

    @BeforeAll
    static void begin() {
        certificate = Certificate.of("ip:127.0.0.1");
        other = Certificate.of("ip:127.0.0.1");
        server = KafkaServer.options().secured(certificate, "ann", PASSWORD).start();
    }

    @AfterAll
    static void end() {
        server.close();
        certificate.close();
        other.close();
    }

    private static Map<String, Object> settings(Certificate trusted, String password) {
        Map<String, Object> settings = new HashMap<>(TestQueues.settings(server.bootstrapServers()));
        settings.put("security.protocol", "SASL_SSL");
        settings.put("sasl.mechanism", "PLAIN");
        settings.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"ann\" password=\""
                        + password + "\";");
        settings.put("ssl.truststore.type", "PKCS12");
        settings.put("ssl.truststore.location", trusted.trustStore().toString());
        settings.put("ssl.truststore.password", trusted.password());
        return settings;
    }

    private static KafkaFanoutQueue.Builder builder(Map<String, Object> settings) {
        return KafkaFanoutQueue.builder(settings).topicPrefix(TestQueues.newPrefix());
    }

    private static void assertUnusable(Map<String, Object> settings, Reason reason, String... message) {
        KafkaFanoutQueue.Builder builder = builder(settings);
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        UnusableBrokerException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContainingAll(message);
    }

    @Test
    @DisplayName("carries messages, and no log of Kafka's clients shows the password")
    void works() {
        Logger kafka = (Logger) LoggerFactory.getLogger("org.apache.kafka");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        kafka.addAppender(log);
        kafka.setLevel(Level.INFO);
        kafka.setAdditive(false);
        try (KafkaFanoutQueue queue = builder(settings(certificate, PASSWORD)).build()) {
            List<Message> messages = TestQueues.messages("t", 10);
            assertThat(queue.send(messages)).hasSize(10).containsOnly(Sent.CONFIRMED);
            Set<String> texts = new HashSet<>();
            Subscription subscription = queue.receive(Lane.SMALL, 10, () -> {});
            await().until(() -> {
                texts.addAll(TestQueues.take(subscription));
                return texts.containsAll(TestQueues.texts(messages));
            });
        } finally {
            kafka.setLevel(Level.OFF);
            kafka.detachAppender(log);
            kafka.setAdditive(true);
        }
        List<String> lines = List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertThat(lines).anyMatch(line -> line.contains("sasl.jaas.config = [hidden]"));
        assertThat(lines).noneMatch(line -> line.contains(PASSWORD));
    }

    @Test
    @DisplayName("refuses a wrong password, which is not shown")
    void wrongPassword() {
        Map<String, Object> wrong = settings(certificate, "wr0ng");
        assertUnusable(wrong, Reason.ACCESS_DENIED, "Authentication failed", "sasl.jaas.config");
        assertThatThrownBy(() -> builder(wrong).build())
                .isInstanceOf(FeedKitException.class)
                .hasMessageNotContaining("wr0ng")
                .hasStackTraceContaining("UnusableBrokerException");
    }

    @Test
    @DisplayName("is refused if its certificate is not trusted")
    void notTrusted() {
        assertUnusable(settings(other, PASSWORD), Reason.NOT_TRUSTED, "ssl.truststore.location", "security.protocol");
    }

    @Test
    @DisplayName("does not answer to those who do not encrypt, and the message says what to look at")
    void plain() {
        KafkaFanoutQueue.Builder builder = KafkaFanoutQueue.builder(TestQueues.settings(server.bootstrapServers()))
                .connectTimeout(Duration.ofSeconds(1));
        assertThatThrownBy(builder::build)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("security.protocol");
    }
}
