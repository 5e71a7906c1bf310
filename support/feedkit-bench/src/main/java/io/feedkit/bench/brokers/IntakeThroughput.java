package io.feedkit.bench.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.kafka.KafkaPostIntake;
import io.feedkit.kafka.KafkaPostIntake.Change;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.KafkaServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Posts a second from a topic of Kafka into PostgreSQL, against publishing them in batches of the same size. */
final class IntakeThroughput implements Measurement {

    private static final int BATCH = KafkaPostIntake.DEFAULT_BATCH_SIZE;
    private static final int AUTHORS = 100;

    /** With more partitions, a batch would have posts of fewer authors than one that is published directly. */
    private static final int PARTITIONS = 1;

    private static final int FEWEST_POSTS = 4 * BATCH;
    private static final int MOST_POSTS = 50_000;
    private static final int FEWER = 50;

    private int ids;
    private int topics;

    @Override
    public String name() {
        return "intake";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int posts = Math.max(FEWEST_POSTS, Math.min(MOST_POSTS, scale.followers() / FEWER));
        try (BenchDatabase database = BenchDatabase.open(Optional.empty());
                JdbcFeedStore store = database.store();
                KafkaServer server = KafkaServer.start()) {
            ((WritableFollowGraph) store.graph())
                    .add(authors().stream()
                            .map(author -> new Edge("reader", author))
                            .toList());
            Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrapServers());
            return List.of(Figure.of(
                    name() + ": Kafka, batches of " + BATCH + " (against publishAll)",
                    "posts/s",
                    new Rounds(scale.rounds(), 1)
                            .medians(
                                    () -> throughIntake(store, settings, posts(posts)),
                                    () -> directly(store, posts(posts))),
                    new Target.RatioAtLeast(0.8)));
        }
    }

    private static List<String> authors() {
        List<String> authors = new ArrayList<>();
        for (int i = 0; i < AUTHORS; i++) {
            authors.add("author" + i);
        }
        return authors;
    }

    private List<Post> posts(int count) {
        long now = System.currentTimeMillis();
        List<Post> posts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            posts.add(Post.of("author" + i % AUTHORS, String.format("%018d", ids++), now));
        }
        return posts;
    }

    private static double directly(JdbcFeedStore store, List<Post> posts) {
        AtomicInteger published = new AtomicInteger();
        try (FeedEngine engine = engine(store, published)) {
            long start = System.nanoTime();
            for (int i = 0; i < posts.size(); i += BATCH) {
                engine.publishAll(posts.subList(i, Math.min(posts.size(), i + BATCH)));
            }
            await(published, posts.size());
            return posts.size() * 1e9 / (System.nanoTime() - start);
        }
    }

    /** Counted from the first record on, because joining the group takes much longer than a batch. */
    private double throughIntake(JdbcFeedStore store, Map<String, Object> settings, List<Post> posts) {
        String topic = "posts-" + topics++;
        fill(settings, topic, posts);
        AtomicInteger published = new AtomicInteger();
        AtomicLong start = new AtomicLong();
        try (FeedEngine engine = engine(store, published)) {
            KafkaPostIntake intake = KafkaPostIntake.builder(settings, topic, topic, engine, record -> {
                        start.compareAndSet(0, System.nanoTime());
                        return List.of(new Change.Publish(post(record)));
                    })
                    .build();
            try {
                await(published, posts.size());
                return posts.size() * 1e9 / (System.nanoTime() - start.get());
            } finally {
                intake.close();
            }
        }
    }

    private static FeedEngine engine(JdbcFeedStore store, AtomicInteger published) {
        FeedListener counting = new FeedListener() {
            @Override
            public void published(PostPublished event) {
                published.incrementAndGet();
            }
        };
        return FeedEngine.builder(store).workers(0).listener(counting).build();
    }

    private static void await(AtomicInteger published, int posts) {
        while (published.get() < posts) {
            HeapWatch.pause(1);
        }
    }

    /** Fills the topic. A record that occurs twice is published once. */
    private static void fill(Map<String, Object> settings, String topic, List<Post> posts) {
        Map<String, Object> sending = new HashMap<>(settings);
        sending.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        try (Admin admin = Admin.create(settings);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(sending, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (Post post : posts) {
                String value = post.id() + " " + post.publishedAt().toEpochMilli();
                sent.add(producer.send(
                        new ProducerRecord<>(topic, post.author().getBytes(UTF_8), value.getBytes(UTF_8))));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the topic cannot be filled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a topic was filled", e);
        }
    }

    private static Post post(ConsumerRecord<byte[], byte[]> record) {
        String[] value = new String(record.value(), UTF_8).split(" ", -1);
        return Post.of(new String(record.key(), UTF_8), value[0], Long.parseLong(value[1]));
    }
}
