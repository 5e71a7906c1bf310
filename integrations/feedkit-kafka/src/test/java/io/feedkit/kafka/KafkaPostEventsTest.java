package io.feedkit.kafka;

import static io.feedkit.kafka.TestTopics.headers;
import static io.feedkit.kafka.TestTopics.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.PostEventLog;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Events of posts in Kafka")
@Timeout(120)
class KafkaPostEventsTest {

    private static final String AWKWARD = "a\"b\\c'd{e}";
    private static final Duration LONGEST = Duration.ofSeconds(40);

    private final String topic = TestTopics.newName();
    private final InMemoryFeedStore store = InMemoryFeedStore.create();
    private final PostEventLog log =
            store.outbox().recordingEvents().map(EventRecording::log).orElseThrow();

    private FeedEngine engine(KafkaPostEvents sink) {
        return FeedEngine.builder(store)
                .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(20)))
                .workers(0)
                .postEvents(sink)
                .build();
    }

    private static KafkaPostEvents sink(TestTopics topics, String topic) {
        return KafkaPostEvents.builder(topics.settings(), topic)
                .sendTimeout(Duration.ofSeconds(1))
                .build();
    }

    private static PostEvent event(String id) {
        return new PostEvent(id, PostEvent.Type.CREATED, Post.of("bob", "p", 1), Instant.EPOCH);
    }

    @Test
    @DisplayName("are CloudEvents that refer to the post, with the author as their key")
    void format() {
        TestTopics topics = new TestTopics(KafkaServer.shared().bootstrapServers());
        topics.create(topic, 3);
        Instant before = Instant.now().minusMillis(1);
        try (KafkaPostEvents sink = KafkaPostEvents.builder(topics.settings(), topic)
                        .source("https://example.org/feed")
                        .build();
                FeedEngine engine = engine(sink)) {
            engine.publish(Post.of("bob", AWKWARD, 1234));
            engine.delete("bob", AWKWARD);
            await().atMost(LONGEST).until(() -> log.unsent().events() == 0);
        }
        List<ConsumerRecord<byte[], byte[]>> records = topics.records(topic).stream()
                .sorted(Comparator.comparing(
                        record -> String.valueOf(headers(record).get("ce_type"))))
                .toList();
        assertThat(records)
                .extracting(record -> headers(record).get("ce_type"))
                .containsExactly("io.feedkit.post.created", "io.feedkit.post.deleted");
        assertThat(records)
                .extracting(record -> headers(record).get("ce_id"))
                .doesNotHaveDuplicates()
                .doesNotContainNull();
        assertThat(records).allSatisfy(record -> {
            assertThat(text(record.key())).isEqualTo("bob");
            assertThat(text(record.value()))
                    .isEqualTo("{\"author\":\"bob\",\"id\":\"a\\\"b\\\\c'd{e}\",\"publishedAt\":1234}");
            Map<String, String> headers = headers(record);
            assertThat(headers)
                    .containsOnlyKeys(
                            "ce_specversion", "ce_type", "ce_source", "ce_id", "ce_subject", "ce_time", "content-type")
                    .containsEntry("ce_specversion", "1.0")
                    .containsEntry("ce_source", "https://example.org/feed")
                    .containsEntry("ce_subject", AWKWARD)
                    .containsEntry("content-type", "application/json");
            assertThat(Instant.parse(headers.get("ce_time"))).isBetween(before, Instant.now());
        });
    }

    @Test
    @DisplayName("wait in the store until there is a topic")
    void missingTopic() {
        TestTopics topics = new TestTopics(KafkaServer.shared().bootstrapServers());
        try (KafkaPostEvents sink = sink(topics, topic);
                FeedEngine engine = engine(sink)) {
            assertThat(sink.send(List.of(event("1"), event("2")))).containsOnly(Sent.REFUSED);
            IntStream.range(0, 300).forEach(i -> engine.publish("bob", "p" + i));
            topics.create(topic, 2);
            await().atMost(LONGEST).until(() -> log.unsent().events() == 0);
        }
        assertThat(subjects(topics)).hasSize(300);
    }

    private Set<String> subjects(TestTopics topics) {
        return topics.records(topic).stream()
                .map(record -> headers(record).get("ce_subject"))
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("are refused in bounded time if nobody answers, or after the end")
    void nobody() {
        TestTopics topics = new TestTopics("127.0.0.1:1");
        KafkaPostEvents sink = sink(topics, topic);
        long begin = System.nanoTime();
        assertThat(sink.send(List.of(event("1"), event("2"), event("3")))).containsOnly(Sent.REFUSED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONGEST);
        sink.close();
        sink.close();
        assertThat(sink.send(List.of(event("1")))).containsExactly(Sent.REFUSED);
    }

    @Test
    @Tag("survival")
    @DisplayName("all arrive though the broker is killed in between")
    void killedServer() {
        try (KafkaServer server = KafkaServer.start()) {
            TestTopics topics = new TestTopics(server.bootstrapServers());
            topics.create(topic, 2);
            try (KafkaPostEvents sink = sink(topics, topic);
                    FeedEngine engine = engine(sink)) {
                IntStream.range(0, 1000).forEach(i -> engine.publish("bob" + i % 7, "a" + i));
                server.kill();
                IntStream.range(0, 1000).forEach(i -> engine.publish("bob" + i % 7, "b" + i));
                assertThat(log.unsent().events()).isPositive();
                server.restart();
                await().atMost(LONGEST).until(() -> log.unsent().events() == 0);
            }
            assertThat(subjects(topics)).hasSize(2000);
        }
    }

    @Test
    @DisplayName("are not sent with settings that contradict what the sink promises")
    void settings() {
        assertThatThrownBy(() -> KafkaPostEvents.builder(Map.of("bootstrap.servers", "a:1", "acks", "1"), topic)
                        .build())
                .isInstanceOfSatisfying(
                        UnusableBrokerException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.SETTING))
                .hasMessageContaining("acks is 1");
        assertThatThrownBy(() -> KafkaPostEvents.builder(Map.of("bootstrap.servers", "a:1"), "two words"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic must be 1 to 249 characters");
        KafkaPostEvents.Builder builder = KafkaPostEvents.builder(Map.of("bootstrap.servers", "a:1"), topic);
        assertThatThrownBy(() -> builder.source(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source must not be empty");
        assertThatThrownBy(() -> builder.source("two words")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.sendTimeout(Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sendTimeout");
    }
}
