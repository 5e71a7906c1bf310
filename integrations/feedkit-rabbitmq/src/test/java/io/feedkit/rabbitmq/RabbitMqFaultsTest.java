package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@Timeout(120)
@DisplayName("A queue in RabbitMQ")
class RabbitMqFaultsTest {

    private static final Duration SEND_TIMEOUT = Duration.ofMillis(1500);
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final String prefix = TestRabbit.newPrefix();
    private FaultyProxy proxy;
    private RabbitMqFanoutQueue queue;

    @BeforeEach
    void open() {
        proxy = FaultyProxy.before(TestRabbit.server().port());
        queue = open(TestRabbit.factory(proxy.port()));
    }

    private RabbitMqFanoutQueue open(ConnectionFactory factory) {
        return RabbitMqFanoutQueue.builder(factory)
                .queuePrefix(prefix)
                .sendTimeout(SEND_TIMEOUT)
                .build();
    }

    @AfterEach
    void close() {
        if (proxy != null) {
            queue.close();
            proxy.close();
            TestRabbit.delete(prefix);
        }
    }

    private static List<String> texts(String beginning, int count) {
        return IntStream.range(0, count).mapToObj(i -> beginning + i).toList();
    }

    private List<Sent> send(List<String> texts) {
        return queue.send(
                texts.stream().map(text -> new Message(Lane.SMALL, text)).toList());
    }

    private static <T> T timed(Duration limit, Supplier<T> call) {
        long begin = System.nanoTime();
        T answer = call.get();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(limit);
        return answer;
    }

    private static void receive(Subscription subscription, Collection<String> wanted) {
        Set<String> missing = new HashSet<>(wanted);
        await().atMost(LIMIT).until(() -> {
            List<Received> some = subscription.poll(1000);
            subscription.acknowledge(some);
            some.forEach(message -> missing.remove(message.text()));
            return missing.isEmpty();
        });
    }

    private void awaitConfirms(String text) {
        await().atMost(LIMIT).until(() -> send(List.of(text)).equals(List.of(Sent.CONFIRMED)));
    }

    @Test
    @DisplayName("is blocked while the broker's memory is full: calls return in time, and acknowledgements arrive")
    void memoryAlarm() {
        List<String> before = texts("before", 10);
        assertThat(send(before)).containsOnly(Sent.CONFIRMED);
        Subscription subscription = queue.receive(Lane.SMALL, 5, () -> {});
        List<Received> held = new ArrayList<>();
        await().atMost(LIMIT).until(() -> held.addAll(subscription.poll(5)) && held.size() == 5);
        TestRabbit.server().beginMemoryAlarm();
        try {
            // The broker's processes hear of the alarm one after the other.
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(timed(SEND_TIMEOUT.minusMillis(500), () -> send(texts("first", 3))))
                            .as("what was sent when the broker said so")
                            .startsWith(Sent.UNKNOWN)
                            .doesNotContain(Sent.CONFIRMED));
            assertThat(queue.status()).isEqualTo(Status.BLOCKED);
            assertThat(timed(Duration.ofMillis(500), () -> send(texts("second", 3))))
                    .as("what was not sent")
                    .containsOnly(Sent.REFUSED);
            subscription.acknowledge(held);
            receive(subscription, before.subList(5, 10));
        } finally {
            TestRabbit.server().endMemoryAlarm();
        }
        await().atMost(LIMIT).until(() -> queue.status() == Status.OPEN);
        assertThat(send(List.of("after"))).containsExactly(Sent.CONFIRMED);
        receive(subscription, List.of("after"));
    }

    @Test
    @DisplayName("comes back by itself after the broker was killed, with everything that was confirmed")
    void killed() {
        Subscription subscription = queue.receive(Lane.SMALL, 50, () -> {});
        List<String> confirmed = new ArrayList<>();
        for (int batch = 0; batch < 5; batch++) {
            List<String> texts = texts(batch + "-", 100);
            assertThat(send(texts)).containsOnly(Sent.CONFIRMED);
            confirmed.addAll(texts);
        }
        await().atMost(LIMIT).until(() -> !subscription.poll(20).isEmpty());
        TestRabbit.server().kill();
        assertThat(timed(SEND_TIMEOUT.plusSeconds(1), () -> send(texts("lost", 3))))
                .doesNotContain(Sent.CONFIRMED);
        await().atMost(LIMIT).until(() -> queue.status() == Status.UNREACHABLE);
        TestRabbit.server().restart();
        receive(subscription, confirmed);
        awaitConfirms("after");
        receive(subscription, List.of("after"));
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    @DisplayName("gives a connection up that lies in a black hole, answers in time, and comes back")
    void blackHole(Direction direction) {
        Subscription subscription = queue.receive(Lane.SMALL, 5, () -> {});
        assertThat(send(List.of("before"))).containsExactly(Sent.CONFIRMED);
        receive(subscription, List.of("before"));
        proxy.blackHole(direction);
        List<String> texts = texts("t", 10);
        assertThat(timed(SEND_TIMEOUT.plusSeconds(1), () -> send(texts))).containsOnly(Sent.UNKNOWN);
        assertThat(queue.status()).isEqualTo(Status.UNREACHABLE);
        assertThat(timed(Duration.ofMillis(500), () -> send(texts))).containsOnly(Sent.REFUSED);
        proxy.pass();
        awaitConfirms("after");
        receive(subscription, List.of("after"));
    }

    @Test
    @DisplayName("notices by heartbeats that its connections lie in a black hole, though nobody sends")
    void heartbeats() {
        ConnectionFactory factory = TestRabbit.factory(proxy.port());
        factory.setRequestedHeartbeat(1);
        try (RabbitMqFanoutQueue watched = open(factory)) {
            proxy.blackHole(Direction.REPLIES);
            await().atMost(LIMIT).until(() -> watched.status() == Status.UNREACHABLE);
            proxy.pass();
            await().atMost(LIMIT).until(() -> watched.status() == Status.OPEN);
        }
    }

    @Test
    @DisplayName("answers in time though the connection takes no more bytes, and closes in time")
    void fullSocket() {
        proxy.blackHole(Direction.REQUESTS);
        List<String> many = texts("x".repeat(240), 10_000);
        assertThat(timed(SEND_TIMEOUT.plusSeconds(1), () -> send(many))).doesNotContain(Sent.CONFIRMED);
        assertThat(timed(Duration.ofSeconds(5), () -> {
                    queue.close();
                    return queue.status();
                }))
                .isEqualTo(Status.UNREACHABLE);
        await().atMost(LIMIT)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("feedkit-rabbitmq " + prefix)));
    }

    @Test
    @DisplayName("refuses a message for which the broker has no queue, though the broker confirms it")
    void noQueue() {
        TestRabbit.administer(channel -> channel.queueDelete(prefix + ".small"));
        assertThat(queue.send(List.of(new Message(Lane.SMALL, "lost"), new Message(Lane.BULK, "kept"))))
                .containsExactly(Sent.REFUSED, Sent.CONFIRMED);
    }

    @Test
    @DisplayName("declares a queue again that was deleted while it was consumed")
    void deletedQueue() {
        Subscription subscription = queue.receive(Lane.SMALL, 5, () -> {});
        assertThat(send(List.of("before"))).containsExactly(Sent.CONFIRMED);
        receive(subscription, List.of("before"));
        TestRabbit.administer(channel -> channel.queueDelete(prefix + ".small"));
        awaitConfirms("after");
        receive(subscription, List.of("after"));
    }

    @Test
    @DisplayName("delivers what somebody else has put into it, whatever it is")
    void foreignMessages() {
        byte[] bytes = {0, (byte) 0xff, 'a'};
        TestRabbit.publish(channel -> {
            channel.basicPublish("", prefix + ".small", new BasicProperties(), bytes);
            channel.basicPublish("", prefix + ".small", new BasicProperties(), new byte[0]);
            return true;
        });
        Subscription subscription = queue.receive(Lane.SMALL, 5, () -> {});
        receive(subscription, List.of(new String(bytes, StandardCharsets.UTF_8), ""));
    }

    @Test
    @DisplayName("moves messages with forged headers to the dead letters, and stays connected")
    void forgedHeaders() {
        List<Map<String, Object>> forged = List.of(
                Map.of("x-death", "never"),
                Map.of("x-death", 7),
                Map.of("x-death", List.of(1, "two")),
                Map.of("x-death", List.of(Map.of("count", "many"))),
                Map.of("x-death", List.of(Map.of("queue", 1, "reason", List.of(), "count", -1L))),
                Map.of("x-first-death-queue", 1, "x-death", Map.of()));
        int each = 50;
        Set<String> texts = new HashSet<>();
        TestRabbit.publish(channel -> {
            for (int i = 0; i < each; i++) {
                for (int kind = 0; kind < forged.size(); kind++) {
                    BasicProperties properties = new BasicProperties.Builder()
                            .headers(forged.get(kind))
                            .build();
                    String text = "forged" + kind + "-" + i;
                    texts.add(text);
                    channel.basicPublish("", prefix + ".small", properties, text.getBytes(StandardCharsets.UTF_8));
                }
            }
            return true;
        });
        Subscription subscription = queue.receive(Lane.SMALL, 20, () -> {});
        Set<String> missing = new HashSet<>(texts);
        await().atMost(LIMIT)
                .until(
                        () -> {
                            List<Received> some = subscription.poll(20);
                            subscription.refuse(some, "forged");
                            some.forEach(message -> missing.remove(message.text()));
                            assertThat(queue.status()).isEqualTo(Status.OPEN);
                            return missing;
                        },
                        Set::isEmpty);
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(TestRabbit.look(prefix + ".dead")).containsExactlyInAnyOrderElementsOf(texts));
        assertThat(send(List.of("after"))).containsExactly(Sent.CONFIRMED);
        receive(subscription, List.of("after"));
        assertThat(queue.status()).isEqualTo(Status.OPEN);
    }

    @Test
    @DisplayName("gives back what it held when it closes")
    void givenBack() {
        List<String> texts = texts("t", 20);
        assertThat(send(texts)).containsOnly(Sent.CONFIRMED);
        Subscription subscription = queue.receive(Lane.SMALL, 20, () -> {});
        await().atMost(LIMIT).until(() -> subscription.poll(20).size() > 0);
        queue.close();
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(TestRabbit.look(prefix + ".small")).containsAll(texts));
    }

    @Test
    @DisplayName("makes dead letters of messages that nobody receives in time")
    void expired() throws InterruptedException {
        String other = TestRabbit.newPrefix();
        try (RabbitMqFanoutQueue quick = RabbitMqFanoutQueue.builder(TestRabbit.factory(proxy.port()))
                .queuePrefix(other)
                .messageTtl(Duration.ofSeconds(1))
                .build()) {
            assertThat(quick.send(List.of(new Message(Lane.BULK, "late")))).containsExactly(Sent.CONFIRMED);
            await().atMost(LIMIT)
                    .pollDelay(1, TimeUnit.SECONDS)
                    .untilAsserted(
                            () -> assertThat(TestRabbit.look(other + ".dead")).containsExactly("late"));
            assertThat(TestRabbit.look(other + ".bulk")).isEmpty();
        } finally {
            TestRabbit.delete(other);
        }
    }
}
