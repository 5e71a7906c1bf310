package io.feedkit.examples.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.kafka.KafkaPostEvents;
import io.feedkit.kafka.KafkaPostIntake;
import io.feedkit.kafka.KafkaPostIntake.Change;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.PostEventLog;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to brokers and events shows of events and intakes. */
@DisplayName("The guide to brokers and events, on events")
@Timeout(120)
class EventsGuideTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final PageRequest FIRST = PageRequest.first(20);

    private final InMemoryFeedStore store = InMemoryFeedStore.create();

    private static Map<String, Object> kafkaWith(String... topics) throws ExecutionException, InterruptedException {
        Map<String, Object> kafka =
                Map.of("bootstrap.servers", KafkaServer.shared().bootstrapServers());
        try (Admin admin = Admin.create(kafka)) {
            admin.createTopics(Arrays.stream(topics)
                            .map(topic -> new NewTopic(topic, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        return kafka;
    }

    @Test
    @Tag("matrix")
    @DisplayName("sends events of posts")
    void events() throws ExecutionException, InterruptedException {
        Map<String, Object> kafka = kafkaWith("post-events");
        // guide
        KafkaPostEvents events = KafkaPostEvents.builder(kafka, "post-events")
                .source("/example/feed")
                .build();
        FeedEngine feed = FeedEngine.builder(store).postEvents(events).build();
        // end
        try (events;
                feed) {
            feed.publish("bob", "post-1");
            PostEventLog log = store.outbox().recordingEvents().orElseThrow().log();
            await().atMost(LONGEST)
                    .untilAsserted(() -> assertThat(log.unsent().events()).isZero());
        }
    }

    /** What a host might write to its topic. */
    private record Article(String author, String id, Instant publishedAt, boolean withdrawn) {

        static Article parse(byte[] value) {
            String[] words = new String(value, UTF_8).split(" ", -1);
            return new Article(words[0], words[1], Instant.parse(words[2]), words.length > 3);
        }
    }

    private static void send(Map<String, Object> kafka, String topic, String... values)
            throws ExecutionException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, value.getBytes(UTF_8)))
                        .get();
            }
        }
    }

    @Test
    @Tag("matrix")
    @DisplayName("publishes posts from a topic")
    void intake() throws ExecutionException, InterruptedException {
        Map<String, Object> kafka = kafkaWith("articles", "articles-dead");
        FeedEngine feed = FeedEngine.builder(store).workers(0).build();
        send(
                kafka,
                "articles",
                "bob post-1 2026-01-01T00:00:00Z",
                "bob post-2 2026-01-01T00:00:00Z",
                "bob post-1 2026-01-01T00:00:00Z withdrawn");
        // guide
        KafkaPostIntake intake = KafkaPostIntake.builder(kafka, "articles", "feed-intake", feed, record -> {
                    Article article = Article.parse(record.value());
                    return article.withdrawn()
                            ? List.of(new Change.Delete(new PostKey(article.author(), article.id())))
                            : List.of(new Change.Publish(
                                    new Post(article.author(), article.id(), article.publishedAt())));
                })
                .build();
        // end
        try (feed;
                intake) {
            await().atMost(LONGEST)
                    .untilAsserted(
                            () -> assertThat(feed.readAuthor("bob", FIRST).items())
                                    .extracting(Post::id)
                                    .containsExactly("post-2"));
        }
    }
}
