package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.kafka.KafkaFanoutQueue.Mode;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.KafkaServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@DisplayName("A queue in Kafka")
@Timeout(120)
class BrokerFaultsTest {

    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final long FULL_MILLIS = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static KafkaServer server;
    private static FaultyProxy proxy;

    private final String prefix = TestQueues.newPrefix();

    @BeforeAll
    static void begin() {
        KafkaServer.Options options = KafkaServer.options();
        proxy = FaultyProxy.before(options.port());
        server = options.behind(proxy).start();
    }

    @AfterAll
    static void end() {
        server.close();
        proxy.close();
    }

    private KafkaFanoutQueue queue(Mode mode) {
        return TestQueues.builder(server.bootstrapServers(), prefix).mode(mode).build();
    }

    private static void awaitAll(Subscription subscription, List<Message> messages) {
        Set<String> texts = new HashSet<>();
        await().atMost(LONGEST).until(() -> {
            texts.addAll(TestQueues.take(subscription));
            return texts.containsAll(TestQueues.texts(messages));
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARE_GROUP", "CONSUMER_GROUP"})
    @DisplayName("rests while a subscription has as many messages as it may have, and more wait")
    void restsWhileFull(Mode mode) throws InterruptedException {
        try (KafkaFanoutQueue queue = queue(mode)) {
            Subscription bulk = queue.receive(Lane.BULK, 2, () -> {});
            List<Message> messages = IntStream.range(0, 50)
                    .mapToObj(i -> new Message(Lane.BULK, "full-" + i))
                    .toList();
            assertThat(queue.send(messages)).containsOnly(Sent.CONFIRMED);
            List<Received> received = new ArrayList<>();
            await().atMost(LONGEST).until(() -> received.addAll(bulk.poll(10)) || received.size() == 2);
            // Processor time is measured over some time, after the client has settled down: nothing is awaited.
            Thread.sleep(FULL_MILLIS);
            long before = processorMillis();
            Thread.sleep(FULL_MILLIS);
            assertThat(processorMillis() - before)
                    .as("milliseconds of processor time in %s", FULL_MILLIS)
                    .isLessThan(FULL_MILLIS / 4);
        }
    }

    /** Of the thread that receives in the lane. */
    private long processorMillis() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().endsWith(prefix + "-bulk"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()) / NANOS_PER_MILLI)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARE_GROUP", "CONSUMER_GROUP"})
    @DisplayName("comes back by itself when the broker was killed and restarted, with all that was confirmed")
    void killedServer(Mode mode) {
        try (KafkaFanoutQueue queue = queue(mode)) {
            Subscription bulk = queue.receive(Lane.BULK, 10, () -> {});
            List<Message> before = TestQueues.messages("before", 500);
            assertThat(queue.send(before)).containsOnly(Sent.CONFIRMED);
            server.kill();
            await().atMost(LONGEST).until(() -> queue.status() == Status.UNREACHABLE);
            assertThat(queue.send(TestQueues.messages("lost", 3))).doesNotContain(Sent.CONFIRMED);
            server.restart();

            await().atMost(LONGEST).until(() -> queue.status() == Status.OPEN);
            List<Message> after = List.of(new Message(Lane.BULK, "after-1"), new Message(Lane.BULK, "after-2"));
            await().atMost(LONGEST).until(() -> queue.send(after).equals(List.of(Sent.CONFIRMED, Sent.CONFIRMED)));
            awaitAll(bulk, after);
            awaitAll(queue.receive(Lane.SMALL, 100, () -> {}), before);
        }
    }

    /** Receives messages in a process of its own, and keeps them. */
    static final class Keeper {

        private Keeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            KafkaFanoutQueue queue = TestQueues.builder(arguments[0], arguments[1])
                    .mode(Mode.valueOf(arguments[2]))
                    .build();
            Subscription subscription = queue.receive(Lane.SMALL, 50, () -> {});
            int kept = 0;
            while (kept < 20) {
                kept += subscription.poll(50).size();
                Thread.sleep(5);
            }
            System.out.println("kept");
            Thread.sleep(LONGEST.toMillis());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARE_GROUP", "CONSUMER_GROUP"})
    @DisplayName("gives the messages of a process that was killed to another one")
    void killedReceiver(Mode mode) {
        try (KafkaFanoutQueue queue = queue(mode)) {
            List<Message> messages = TestQueues.messages("t", 20);
            assertThat(queue.send(messages)).containsOnly(Sent.CONFIRMED);
            List<String> arguments = List.of(server.bootstrapServers(), prefix, mode.name());
            try (ChildProcess keeper = ChildProcess.start(Keeper.class, arguments)) {
                keeper.awaitLine("kept", LONGEST);
                keeper.kill9();
            }
            awaitAll(queue.receive(Lane.SMALL, 50, () -> {}), messages);
        }
    }

    @Test
    @DisplayName("does not know what became of messages that vanish, says so in time, and comes back")
    void blackHole() {
        try (KafkaFanoutQueue queue = queue(Mode.AUTO)) {
            List<Message> messages = TestQueues.messages("t", 300);
            assertThat(queue.send(messages)).containsOnly(Sent.CONFIRMED);
            proxy.blackHole(Direction.REPLIES);
            long begin = System.nanoTime();
            List<Sent> sent = queue.send(messages);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(sent).hasSize(300).containsOnly(Sent.UNKNOWN);
            assertThat(took).isBetween(TestQueues.SEND_TIMEOUT.dividedBy(2), TestQueues.SEND_TIMEOUT.plusMillis(1500));
            assertThat(queue.status()).isEqualTo(Status.UNREACHABLE);

            proxy.pass();
            await().atMost(LONGEST).until(() -> queue.status() == Status.OPEN);
            await().atMost(LONGEST).until(() -> queue.send(messages).stream().allMatch(each -> each == Sent.CONFIRMED));
        } finally {
            proxy.pass();
        }
    }
}
