package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The settings of Kafka's clients")
class ClientSettingsTest {

    private static final String NOBODY = "127.0.0.1:1";
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static void assertRefused(Map<String, Object> settings, String... message) {
        assertThatThrownBy(() -> KafkaFanoutQueue.builder(settings).build())
                .isInstanceOfSatisfying(UnusableBrokerException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.SETTING);
                    assertThat(e.isRetryable()).isFalse();
                })
                .hasMessageContainingAll(message);
    }

    private static Map<String, Object> with(String name, Object value) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", NOBODY));
        settings.put(name, value);
        return settings;
    }

    @ParameterizedTest
    @CsvSource({
        "acks, 1, all",
        "enable.idempotence, false, true",
        "max.in.flight.requests.per.connection, 5, 1",
        "enable.auto.commit, true, false",
        "auto.offset.reset, latest, earliest",
        "isolation.level, read_committed, read_uncommitted",
        "share.acquire.mode, batch_optimized, record_limit"
    })
    @DisplayName("are refused if they contradict what the queue promises")
    void contrary(String name, String value, String needed) {
        assertRefused(with(name, value), name, "is " + value, "needs " + needed, "leave it out");
    }

    @ParameterizedTest
    @CsvSource({
        "group.id, group of the builder",
        "max.block.ms, sendTimeout of the builder",
        "transactional.id, without transactions",
        "max.poll.records, own bound"
    })
    @DisplayName("are refused if the queue sets them")
    void reserved(String name, String advice) {
        assertRefused(with(name, "7"), name + " must not be set", advice);
    }

    @Test
    @DisplayName("need brokers to begin with")
    void withoutBrokers() {
        assertRefused(Map.of(), "bootstrap.servers is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka://ann:s3cret@kafka.internal:9092",
                "ann:s3cret@kafka.internal:9092",
                "one:9092,ann:s3c/r@et@two:9092"
            })
    @DisplayName("are refused with credentials before a broker, and no message shows these")
    void credentials(String brokers) {
        for (Object servers : List.of(brokers, List.of("one:9092", brokers))) {
            assertThatThrownBy(() -> KafkaPostEvents.builder(Map.of("bootstrap.servers", servers), "events")
                            .build())
                    .isInstanceOf(UnusableBrokerException.class)
                    .hasMessageContainingAll("bootstrap.servers must not have user:password@", "sasl.jaas.config")
                    .hasMessageNotContaining("s3c")
                    .hasNoCause();
        }
    }

    @Test
    @DisplayName("are refused in Kafka's words if it does not know the value")
    void invalid() {
        assertRefused(with("retries", "many"), "retries", "many", "correct them");
    }

    @Test
    @DisplayName("are refused without a word of the password")
    void broken() {
        Map<String, Object> settings = with("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", "PLAIN");
        settings.put(
                "sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule s3cret username=\"ann\";");
        assertThatThrownBy(() -> KafkaFanoutQueue.builder(settings).build())
                .isInstanceOf(UnusableBrokerException.class)
                .hasMessageContaining("settings")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    @DisplayName("that nobody answers to are told apart from those that are wrong")
    void unreachable() {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> KafkaFanoutQueue.builder(with("acks", "-1"))
                        .connectTimeout(Duration.ofMillis(500))
                        .build())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll(NOBODY, "bootstrap.servers");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONGEST);
    }
}
