package io.feedkit.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.kafka.KafkaPostIntake;
import io.feedkit.kafka.KafkaPostIntake.Change;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The records of a partition")
class PostChangesTest {

    private static final int RECORDS = 20;

    private final InMemoryFeedStore store = InMemoryFeedStore.create();
    private final AtomicReference<Supplier<RuntimeException>> failure =
            new AtomicReference<>(() -> new IllegalStateException("no such author"));
    private final FeedEngine engine =
            FeedEngine.builder(store).workers(0).policy(policy()).build();
    private final Map<Long, Throwable> dead = new LinkedHashMap<>();
    private final List<Long> done = new ArrayList<>();
    private final PostChanges changes =
            new PostChanges(engine, (record, cause) -> dead.put(record.record().offset(), cause));

    /** Throws for the authors {@code bad} and {@code worse}. */
    private FanoutPolicy policy() {
        return author -> {
            if (author.author().equals("bad") || author.author().equals("worse")) {
                throw failure.get().get();
            }
            return FanoutMode.PUSH;
        };
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static List<Change> mapping(ConsumerRecord<byte[], byte[]> record) {
        String author = new String(record.value(), UTF_8);
        if (author.equals("unprintable")) {
            throw new Unprintable();
        }
        return List.of(new Change.Publish(Post.of(author, "p" + record.offset(), 1)));
    }

    /** Records that publish a post of bob each, but for some. */
    private List<IntakeRecord> records(Map<Integer, String> others) {
        return IntStream.range(0, RECORDS)
                .mapToObj(offset -> new ConsumerRecord<>(
                        "topic",
                        0,
                        offset,
                        new byte[0],
                        others.getOrDefault(offset, "bob").getBytes(UTF_8)))
                .map(record -> IntakeRecord.of(record, PostChangesTest::mapping))
                .toList();
    }

    private void apply(List<IntakeRecord> records) {
        changes.apply(
                records, some -> some.forEach(record -> done.add(record.record().offset())));
    }

    private long posts() {
        return store.outbox()
                .count(List.of(new CountQuery(Set.of("bob"), PositionRange.ALL, Integer.MAX_VALUE)))
                .get(0)
                .above();
    }

    @Test
    @DisplayName("go on past those for whose authors the policy throws, which become dead letters")
    void policyThrows() {
        apply(records(Map.of(3, "bad", 11, "worse")));
        assertThat(done)
                .containsExactlyElementsOf(LongStream.range(0, RECORDS).boxed().toList());
        assertThat(dead).containsOnlyKeys(3L, 11L);
        assertThat(dead.values())
                .allSatisfy(cause ->
                        assertThat(cause).isInstanceOf(CallbackException.class).hasMessageContaining("no such author"));
        assertThat(posts()).isEqualTo(RECORDS - 2);
    }

    @Test
    @DisplayName("go on past those whose failure throws when it is asked for its text")
    void unprintable() {
        failure.set(Unprintable::new);
        apply(records(Map.of(0, "unprintable", 7, "bad")));
        assertThat(done).hasSize(RECORDS);
        assertThat(dead).containsOnlyKeys(0L, 7L);
        assertThat(posts()).isEqualTo(RECORDS - 2);
    }

    @Test
    @DisplayName("wait while a store is down, also one that only the policy asks")
    void storeDown() {
        failure.set(() -> new StoreUnavailableException("authors.find", null));
        List<IntakeRecord> records = records(Map.of(RECORDS - 1, "bad"));
        assertThatThrownBy(() -> apply(records)).isInstanceOf(StoreUnavailableException.class);
        assertThat(dead).isEmpty();
        assertThat(done).isEmpty();
    }

    @Test
    @DisplayName("are not read again as their own dead letters")
    void ownDeadLetters() {
        KafkaPostIntake.Builder builder = KafkaPostIntake.builder(
                Map.of("bootstrap.servers", "127.0.0.1:1"), "posts", "group", engine, PostChangesTest::mapping);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.deadLetters("posts"))
                .withMessageContainingAll("deadLetters must be another topic", "\"posts\"");
    }

    /** Throws when it is asked for its text. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }
}
