package io.feedkit.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.cassandra.CassandraInboxCopies;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.micrometer.FeedMetrics;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.testkit.TestFeed;
import io.feedkit.testkit.internal.PublicApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The public API of all modules")
class PublicApiTest {

    private static final Path RECORDED = Path.of("..", "..", "docs", "reference", "api.txt");
    private static final Path FOUND = Path.of("target", "api.txt");

    @Test
    @DisplayName("is the one that docs/reference/api.txt records")
    void recorded() throws IOException {
        List<String> found = Stream.of(
                        FeedEngine.class,
                        JdbcFeedStore.class,
                        RedisFeedStore.class,
                        RabbitMqFanoutQueue.class,
                        KafkaFanoutQueue.class,
                        CassandraInboxCopies.class,
                        FeedMetrics.class,
                        TestFeed.class)
                .flatMap(anchor -> PublicApi.of(anchor).stream())
                .toList();
        Files.write(FOUND, found);
        assertThat(found)
                .as("if the change is meant: cp support/feedkit-tools/target/api.txt docs/reference/api.txt")
                .isEqualTo(Files.readAllLines(RECORDED));
    }
}
