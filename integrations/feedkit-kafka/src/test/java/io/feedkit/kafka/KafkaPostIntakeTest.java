package io.feedkit.kafka;

import static io.feedkit.kafka.TestTopics.headers;
import static io.feedkit.kafka.TestTopics.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.kafka.KafkaPostIntake.Change;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("matrix")
@DisplayName("An intake of posts from Kafka")
@Timeout(120)
class KafkaPostIntakeTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final TestTopics topics = new TestTopics(KafkaServer.shared().bootstrapServers());
    private final String topic = TestTopics.newName();
    private final String dead = topic + KafkaPostIntake.DEAD_LETTERS;
    private final String group = topic + "-group";
    private final InMemoryFeedStore sound = InMemoryFeedStore.create();
    private final FaultyFeedStore store = FaultyFeedStore.around(sound);
    private final FeedEngine engine = FeedEngine.builder(store).workers(0).build();

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    private static List<Change> mapping(ConsumerRecord<byte[], byte[]> record) {
        List<Change> changes = new ArrayList<>();
        for (String line : text(record.value()).lines().toList()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "publish" ->
                    changes.add(new Change.Publish(Post.of(words[1], words[2], Long.parseLong(words[3]))));
                case "delete" -> changes.add(new Change.Delete(new PostKey(words[1], words[2])));
                case "nothing" -> {}
                case "unprintable" -> throw new Unprintable();
                default -> throw new IllegalStateException("no such change: " + words[0]);
            }
        }
        return changes;
    }

    private KafkaPostIntake.Builder builder(Map<String, Object> settings) {
        return KafkaPostIntake.builder(settings, topic, group, engine, KafkaPostIntakeTest::mapping);
    }

    private KafkaPostIntake intake() {
        return builder(topics.settings()).build();
    }

    private ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>(topic, "key".getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private void send(String... values) {
        topics.send(Arrays.stream(values).map(this::record).toList());
    }

    private static String publish(int number) {
        return "publish bob p" + number + " " + number;
    }

    private void sendPosts(int from, int below) {
        send(IntStream.range(from, below).mapToObj(KafkaPostIntakeTest::publish).toArray(String[]::new));
    }

    private long posts(String author) {
        return sound.outbox()
                .count(List.of(new CountQuery(Set.of(author), PositionRange.ALL, Integer.MAX_VALUE)))
                .get(0)
                .above();
    }

    private boolean exists(String id) {
        PostKey key = new PostKey("bob", id);
        return sound.outbox().existing(List.of(key)).containsKey(key);
    }

    private void awaitAllCommitted() {
        await().atMost(LONGEST).until(() -> topics.lag(topic, group) == 0);
    }

    @Test
    @DisplayName("publishes and deletes what the records say, in their order, and commits")
    void publishesAndDeletes() {
        topics.create(topic, 1);
        send(publish(1), "nothing", "publish amy q1 5\npublish amy q2 6", publish(2), "delete bob p1", publish(3));
        send("publish cid r1 1\ndelete cid r1\npublish cid r2 1");
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(List.of(posts("bob"), posts("amy"), posts("cid"))).containsExactly(2L, 2L, 1L);
            assertThat(exists("p1")).isFalse();
            sendPosts(10, 1500);
            await().atMost(LONGEST).until(() -> posts("bob") == 1492);
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(store.effects()).as("calls that write").isLessThan(100);
    }

    /** What a host might write to its topic. */
    private record Article(String author, String id, Instant publishedAt, boolean withdrawn) {

        static Article parse(byte[] value) {
            String[] words = text(value).split(" ", -1);
            return new Article(words[0], words[1], Instant.parse(words[2]), words.length > 3);
        }
    }

    @Test
    @DisplayName("takes a function of the host, as the guide shows it")
    void guide() {
        topics.create(topic, 1);
        send("bob p1 2026-01-01T00:00:00Z", "bob p2 2026-01-01T00:00:00Z", "bob p1 2026-01-01T00:00:00Z withdrawn");
        try (KafkaPostIntake intake = KafkaPostIntake.builder(topics.settings(), topic, group, engine, record -> {
                    Article article = Article.parse(record.value());
                    return article.withdrawn()
                            ? List.of(new Change.Delete(new PostKey(article.author(), article.id())))
                            : List.of(new Change.Publish(
                                    new Post(article.author(), article.id(), article.publishedAt())));
                })
                .build()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(List.of(exists("p1"), exists("p2"))).containsExactly(false, true);
    }

    @Test
    @DisplayName("lets a delete win that comes before its post")
    void deleteFirst() {
        topics.create(topic, 1);
        send("delete bob p1", publish(2), publish(1), publish(3));
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(posts("bob")).isEqualTo(2);
            assertThat(exists("p1")).isFalse();
            assertThat(intake).isNotNull();
        }
    }

    @Test
    @DisplayName("moves records that cannot be used to the dead letters, with their cause, and the others go on")
    void deadLetters() {
        topics.create(topic, 1);
        topics.create(dead, 1);
        String tooLate =
                "publish bob late " + Instant.now().plusSeconds(100_000).toEpochMilli();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> records.add(record(publish(i))));
        records.add(10, record(tooLate));
        records.add(50, record("publish bob \u00fcnicode 1"));
        records.add(60, record("what?"));
        records.add(70, record("publish amy q1 1\n" + tooLate));
        records.add(80, new ProducerRecord<>(topic, "key".getBytes(UTF_8), null));
        records.add(90, record("unprintable"));
        records.get(10).headers().add("trace", "abc".getBytes(UTF_8));
        topics.send(records);
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(posts("bob")).isEqualTo(100);
        List<ConsumerRecord<byte[], byte[]>> letters = topics.records(dead);
        assertThat(letters)
                .extracting(letter -> headers(letter).get("feedkit-offset"))
                .containsExactly("10", "50", "60", "70", "80", "90");
        assertThat(letters).allSatisfy(letter -> {
            assertThat(text(letter.key())).isEqualTo("key");
            assertThat(headers(letter)).containsEntry("feedkit-topic", topic).containsEntry("feedkit-partition", "0");
        });
        assertThat(text(letters.get(0).value())).isEqualTo(tooLate);
        assertThat(headers(letters.get(0)))
                .containsEntry("trace", "abc")
                .hasEntrySatisfying("feedkit-cause", cause -> assertThat(cause).contains("maxFutureSkew"));
        assertThat(headers(letters.get(1)).get("feedkit-cause")).contains("visible ASCII");
        assertThat(headers(letters.get(2)).get("feedkit-cause")).contains("no such change: what?");
        assertThat(headers(letters.get(5)).get("feedkit-cause")).contains("Unprintable");
    }

    /** Throws when it is asked for its text. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    @DisplayName("leaves out the value of a dead letter that would be too large")
    void largeDeadLetter() {
        topics.create(topic, 1);
        topics.create(dead, 1, Map.of("max.message.bytes", "1000"));
        String large = "what? " + "x".repeat(5000);
        send(publish(1), large, publish(2), "what?");
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(posts("bob")).isEqualTo(2);
        List<ConsumerRecord<byte[], byte[]>> letters = topics.records(dead);
        assertThat(letters)
                .extracting(letter -> headers(letter).get("feedkit-offset"))
                .containsExactly("1", "3");
        assertThat(letters.get(0).value()).isNull();
        assertThat(text(letters.get(0).key())).isEqualTo("key");
        assertThat(headers(letters.get(0)))
                .containsEntry("feedkit-size", String.valueOf(large.length()))
                .containsKey("feedkit-cause");
        assertThat(headers(letters.get(1))).doesNotContainKey("feedkit-size");
    }

    @Test
    @DisplayName("goes on without a dead letter that the brokers never take")
    void noDeadLetterEver() {
        topics.create(topic, 1);
        topics.create(dead, 1, Map.of("cleanup.policy", "compact"));
        topics.send(List.of(new ProducerRecord<>(topic, "what?".getBytes(UTF_8)), record(publish(1))));
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(posts("bob")).isEqualTo(1);
        assertThat(topics.records(dead)).isEmpty();
    }

    @Test
    @DisplayName("waits with a record that cannot be used while there is nowhere to put it")
    void noDeadLetters() {
        topics.create(topic, 1);
        send(publish(1), "what?", publish(2));
        try (KafkaPostIntake intake = intake()) {
            await().atMost(LONGEST).until(() -> topics.lag(topic, group) == 2);
            assertThat(posts("bob")).isEqualTo(1);
            topics.create(dead, 1);
            awaitAllCommitted();
            assertThat(posts("bob")).isEqualTo(2);
            assertThat(topics.records(dead)).isNotEmpty();
            assertThat(intake).isNotNull();
        }
    }

    @Test
    @DisplayName("commits nothing while the store is down, stays in its group, and goes on by itself")
    void storeDown() {
        topics.create(topic, 3);
        AtomicInteger failed = new AtomicInteger();
        store.fail(
                call -> {
                    boolean append = call.operation().equals("outbox.append");
                    failed.addAndGet(append ? 1 : 0);
                    return append;
                },
                Fault.FAIL_BEFORE);
        Map<String, Object> settings = new HashMap<>(topics.settings());
        settings.put("max.poll.interval.ms", 1500);
        sendPosts(0, 1000);
        try (KafkaPostIntake intake = builder(settings).batchSize(100).build()) {
            await().atMost(LONGEST).until(() -> failed.get() > 0);
            Set<String> members = topics.members(group);
            assertThat(members).hasSize(1);
            await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
            assertThat(failed.get()).as("tries with growing pauses").isBetween(4, 9);
            assertThat(topics.lag(topic, group)).isEqualTo(1000);
            assertThat(topics.members(group)).isEqualTo(members);
            store.heal();
            awaitAllCommitted();
            assertThat(topics.members(group)).isEqualTo(members);
            assertThat(intake).isNotNull();
        }
        assertThat(posts("bob")).isEqualTo(1000);
    }

    @Test
    @DisplayName("changes nothing when records are handled again after a crash before the commit")
    void again() {
        topics.create(topic, 2);
        sendPosts(0, 100);
        send("delete bob p5");
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        List<Post> before = engine.readAuthor("bob", PageRequest.first(200)).items();
        assertThat(before).hasSize(99);
        topics.rewind(topic, group);
        assertThat(topics.lag(topic, group)).isEqualTo(101);
        try (KafkaPostIntake intake = intake()) {
            awaitAllCommitted();
            assertThat(intake).isNotNull();
        }
        assertThat(engine.readAuthor("bob", PageRequest.first(200)).items()).isEqualTo(before);
    }

    @Test
    @DisplayName("shares the partitions with other intakes of its group, which come and go")
    void shared() {
        topics.create(topic, 4);
        sendPosts(0, 3000);
        try (KafkaPostIntake one = builder(topics.settings()).batchSize(50).build()) {
            await().atMost(LONGEST).until(() -> posts("bob") > 0);
            try (KafkaPostIntake two = builder(topics.settings()).batchSize(50).build()) {
                await().atMost(LONGEST).until(() -> topics.members(group).size() == 2);
                sendPosts(3000, 4000);
                await().atMost(LONGEST).until(() -> posts("bob") == 4000);
                assertThat(two).isNotSameAs(one);
            }
            sendPosts(4000, 5000);
            awaitAllCommitted();
        }
        assertThat(posts("bob")).isEqualTo(5000);
    }

    private void begin(KafkaProducer<byte[], byte[]> producer, String value) {
        Future<RecordMetadata> unused = producer.send(record(value));
    }

    @Test
    @DisplayName("does not see records of a transaction that was aborted")
    void aborted() {
        topics.create(topic, 1);
        Map<String, Object> settings = topics.sending();
        settings.put("transactional.id", topic);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            begin(producer, publish(1));
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            begin(producer, publish(2));
            producer.commitTransaction();
        }
        Map<String, Object> committed = new HashMap<>(topics.settings());
        committed.put("isolation.level", "read_committed");
        try (KafkaPostIntake intake = builder(committed).build()) {
            await().atMost(LONGEST).until(() -> exists("p2"));
            assertThat(exists("p1")).isFalse();
            assertThat(intake).isNotNull();
        }
    }

    @Test
    @DisplayName("ends soon when it is closed, also while it waits for the store, and when the engine is closed first")
    void ends() {
        topics.create(topic, 1);
        sendPosts(0, 10);
        store.fail(call -> call.operation().equals("outbox.append"), Fault.FAIL_BEFORE);
        KafkaPostIntake intake = intake();
        await().atMost(LONGEST).until(() -> store.faults() > 3);
        long begin = System.nanoTime();
        intake.close();
        intake.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        assertThat(threads()).isZero();
        engine.close();
        try (KafkaPostIntake late = intake()) {
            await().atMost(LONGEST).until(() -> threads() == 0);
            assertThat(late).isNotNull();
        }
        assertThat(topics.lag(topic, group)).isEqualTo(10);
    }

    private long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("feedkit-kafka-intake-" + topic))
                .count();
    }

    @Test
    @Tag("survival")
    @DisplayName("goes on by itself when the broker was killed and restarted")
    void killedServer() {
        try (KafkaServer server = KafkaServer.start()) {
            TestTopics own = new TestTopics(server.bootstrapServers());
            own.create(topic, 2);
            own.send(IntStream.range(0, 500).mapToObj(i -> record(publish(i))).toList());
            try (KafkaPostIntake intake = builder(own.settings()).batchSize(20).build()) {
                await().atMost(LONGEST).until(() -> posts("bob") > 0);
                server.kill();
                server.restart();
                own.send(IntStream.range(500, 1000)
                        .mapToObj(i -> record(publish(i)))
                        .toList());
                await().atMost(LONGEST).until(() -> posts("bob") == 1000 && own.lag(topic, group) == 0);
                assertThat(intake).isNotNull();
            }
        }
    }

    @Test
    @DisplayName("is refused settings that contradict what it promises")
    void settings() {
        Map<String, Object> settings = new HashMap<>(topics.settings());
        settings.put("enable.auto.commit", "true");
        assertThatThrownBy(() -> builder(settings).build())
                .isInstanceOf(UnusableBrokerException.class)
                .hasMessageContaining("enable.auto.commit is true");
        Map<String, Object> unknown = new HashMap<>(topics.settings());
        unknown.put("fetch.min.bytes", "many");
        unknown.put("client.id", group);
        assertThatThrownBy(() -> builder(unknown).build())
                .isInstanceOf(UnusableBrokerException.class)
                .hasMessageContaining("fetch.min.bytes");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains(group));
        Map<String, Object> dirty = new HashMap<>(topics.settings());
        dirty.put("isolation.level", "read_uncommitted");
        assertThatThrownBy(() -> builder(dirty).build())
                .isInstanceOf(UnusableBrokerException.class)
                .hasMessageContaining("isolation.level is read_uncommitted, but the intake needs read_committed");
        assertThatThrownBy(() -> builder(topics.settings()).batchSize(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("batchSize");
        assertThatThrownBy(() -> KafkaPostIntake.builder(
                        topics.settings(), topic, "two words", engine, KafkaPostIntakeTest::mapping))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group must be");
    }
}
