package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.kafka.KafkaFanoutQueue;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
import io.feedkit.testservers.KafkaServer;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to brokers and events shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to brokers and events")
@Timeout(120)
class BrokersGuideTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final PageRequest FIRST = PageRequest.first(20);

    private final InMemoryFeedStore store = InMemoryFeedStore.create();

    private static void assertFansOut(FeedEngine publisher) {
        publisher.follow("ann", "bob");
        publisher.read("ann", FIRST);
        publisher.publish("bob", "post-1");
        await().atMost(LONGEST)
                .untilAsserted(
                        () -> assertThat(publisher.read("ann", FIRST).items()).hasSize(1));
    }

    @Test
    @Tag("matrix")
    @DisplayName("fans out through RabbitMQ")
    void rabbitMq() {
        assumeTrue(RabbitMqProgram.find().isPresent(), "rabbitmq-server is not on the PATH");
        try (RabbitMqServer server = RabbitMqServer.start(RabbitMqProgram.find().orElseThrow())) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setHost("127.0.0.1");
            factory.setPort(server.port());
            factory.setUsername(server.user());
            factory.setPassword(server.password());
            // guide
            FanoutQueue queue = RabbitMqFanoutQueue.create(factory); // your ConnectionFactory: host, user, TLS
            FeedEngine feed = FeedEngine.builder(store).fanoutQueue(queue).build();
            // end
            try (queue;
                    feed) {
                assertFansOut(feed);
            }
        }
    }

    @Test
    @Tag("matrix")
    @DisplayName("fans out through Kafka")
    void kafka() {
        String servers = KafkaServer.shared().bootstrapServers();
        // guide
        Map<String, Object> kafka = Map.of("bootstrap.servers", servers); // settings of Kafka's own clients
        FanoutQueue queue = KafkaFanoutQueue.builder(kafka).build();
        // end
        try (queue;
                FeedEngine feed = FeedEngine.builder(store).fanoutQueue(queue).build()) {
            assertFansOut(feed);
        }
    }

    @Test
    @DisplayName("shares the work between a publisher, a relay and a worker")
    void roles() {
        FanoutQueue queue = InMemoryFanoutQueue.create();
        // guide
        FeedEngine publisher = FeedEngine.builder(store).workers(0).build();
        FeedEngine relay =
                FeedEngine.builder(store).fanoutQueue(queue).workers(0).build();
        FeedEngine worker = FeedEngine.builder(store)
                .fanoutQueue(QueuedFanout.over(queue).relay(false))
                .build();
        // end
        try (queue;
                publisher;
                relay;
                worker) {
            assertFansOut(publisher);
            assertThat(worker.fanout().backlog().deadLetters()).isZero();
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("brokers-and-events.md", "BrokersGuideTest", "EventsGuideTest");
    }
}
