package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import io.feedkit.testservers.KafkaServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("matrix")
@DisplayName("A broker that is not as the queue needs it")
@Timeout(120)
class WrongBrokerTest {

    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration WHILE = Duration.ofSeconds(3);

    private static KafkaServer server;
    private static Admin admin;

    private final String prefix = TestQueues.newPrefix();

    @BeforeAll
    static void begin() {
        server = KafkaServer.options().feature("share.version", 0).start();
        admin = Admin.create(TestQueues.settings(server.bootstrapServers()));
    }

    @AfterAll
    static void end() {
        admin.close();
        server.close();
    }

    private KafkaFanoutQueue.Builder builder() {
        return KafkaFanoutQueue.builder(TestQueues.settings(server.bootstrapServers()))
                .topicPrefix(prefix);
    }

    private static void assertUnusable(KafkaFanoutQueue.Builder builder, Reason reason, String... message) {
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        UnusableBrokerException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContainingAll(message);
    }

    private void create(String lane, Map<String, String> config) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(prefix + lane, 2, (short) 1).configs(config)))
                .all()
                .get();
    }

    @Test
    @DisplayName("is refused without share groups, if they are asked for, and else its consumer groups are used")
    void withoutShareGroups() {
        assertUnusable(
                builder().mode(Mode.SHARE_GROUP),
                Reason.MISSING_FEATURE,
                "share.version is 0",
                "--feature share.version=1",
                "CONSUMER_GROUP");
        try (KafkaFanoutQueue queue = builder().build()) {
            List<Message> messages = TestQueues.messages("t", 100);
            assertThat(queue.send(messages)).hasSize(100).containsOnly(Sent.CONFIRMED);
            Set<String> texts = new HashSet<>();
            Subscription subscription = queue.receive(Lane.SMALL, 10, () -> {});
            await().until(() -> {
                texts.addAll(TestQueues.take(subscription));
                return texts.containsAll(TestQueues.texts(messages));
            });
        }
    }

    @Test
    @DisplayName("is refused if a topic is missing and the queue creates none; what somebody else created will do")
    void missingTopic() throws ExecutionException, InterruptedException {
        assertUnusable(
                builder().create(false), Reason.MISSING_QUEUE, "topic " + prefix + "-small is missing", "create(true)");
        create("-small", Map.of());
        create("-bulk", Map.of("retention.ms", "-1"));
        create("-dead", Map.of());
        builder().create(false).build().close();
    }

    @Test
    @DisplayName("is refused if a topic drops messages that are needed")
    void droppingTopic() throws ExecutionException, InterruptedException {
        create("-small", Map.of("retention.ms", "60000"));
        assertUnusable(
                builder(), Reason.OTHER_QUEUE, prefix + "-small has retention.ms=60000", "600000 ms", "raise it");
        builder().retention(Duration.ofMinutes(1)).build().close();

        set("-small", "cleanup.policy", "compact,delete");
        assertUnusable(
                builder().retention(Duration.ofMinutes(1)),
                Reason.OTHER_QUEUE,
                prefix + "-small has cleanup.policy=compact,delete",
                "set it to delete");
    }

    @Test
    @DisplayName("is refused if it would confirm nothing")
    void tooFewReplicas() throws ExecutionException, InterruptedException {
        create("-bulk", Map.of("min.insync.replicas", "2"));
        assertUnusable(
                builder(),
                Reason.OTHER_QUEUE,
                prefix + "-bulk has min.insync.replicas=2",
                "only 1 replicas",
                "lower it");
    }

    @Test
    @DisplayName("creates topics again that were deleted")
    void deletedTopics() throws ExecutionException, InterruptedException {
        try (KafkaFanoutQueue queue =
                builder().sendTimeout(Duration.ofSeconds(2)).build()) {
            admin.deleteTopics(List.of(prefix + "-small", prefix + "-dead"))
                    .all()
                    .get();
            List<Message> messages = TestQueues.messages("t", 10);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Set.copyOf(queue.send(messages)).equals(Set.of(Sent.CONFIRMED)));
        }
    }

    @Test
    @DisplayName("gives out a bounded number of messages while a refused one cannot be moved to the dead letters")
    void noDeadLetters() throws ExecutionException, InterruptedException {
        try (KafkaFanoutQueue queue = builder().partitions(1).build()) {
            assertThat(queue.send(TestQueues.messages("t", 2500))).containsOnly(Sent.CONFIRMED);
        }
        try (KafkaFanoutQueue queue =
                builder().create(false).sendTimeout(Duration.ofSeconds(1)).build()) {
            admin.deleteTopics(List.of(prefix + "-dead")).all().get();
            Subscription subscription = queue.receive(Lane.SMALL, 100, () -> {});
            Set<String> texts = new HashSet<>();
            await().atMost(LONGEST).until(() -> takeAllButOne(subscription, texts));
            await().atMost(LONGEST).until(() -> !takeAllButOne(subscription, texts));
            assertThat(texts).hasSizeBetween(500, 2000);

            create("-dead", Map.of());
            await().atMost(LONGEST).until(() -> !takeAllButOne(subscription, texts) && texts.size() == 2499);
        }
    }

    /** Refuses the first message, and takes the others. Returns whether some of these came within a while. */
    private static boolean takeAllButOne(Subscription subscription, Set<String> texts) throws InterruptedException {
        boolean some = false;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < WHILE.toNanos()) {
            for (Received each : subscription.poll(1000)) {
                if (each.text().equals("t-0")) {
                    subscription.refuse(List.of(each), "bad");
                } else {
                    subscription.acknowledge(List.of(each));
                    some |= texts.add(each.text());
                }
            }
            Thread.sleep(1);
        }
        return some;
    }

    private void set(String lane, String name, String value) throws ExecutionException, InterruptedException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, prefix + lane);
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(topic, List.of(set))).all().get();
    }
}
