package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.NoOpMetricsCollector;
import com.rabbitmq.client.impl.StrictExceptionHandler;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.rabbitmq.internal.connection.RecoveringConnection;
import io.feedkit.testservers.FaultyProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Tag("survival")
@Timeout(120)
@DisplayName("A queue in RabbitMQ that connects again")
class RabbitMqRecoveryTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String prefix = TestRabbit.newPrefix();
    private final FaultyProxy proxy = FaultyProxy.before(TestRabbit.server().port());
    private final ConnectionFactory factory = TestRabbit.factory(proxy.port());

    @AfterEach
    void close() {
        proxy.close();
        TestRabbit.delete(prefix);
    }

    private RabbitMqFanoutQueue open() {
        return RabbitMqFanoutQueue.builder(factory).queuePrefix(prefix).build();
    }

    /** While it holds, a connection to receive opens no third channel: only one subscription has begun on it. */
    private static final class HeldChannels extends NoOpMetricsCollector {
        private static final int CHANNELS = 2;

        private final CountDownLatch released = new CountDownLatch(1);
        private final AtomicInteger opened = new AtomicInteger(Integer.MIN_VALUE);

        void hold() {
            opened.set(0);
        }

        void release() {
            released.countDown();
        }

        @Override
        public void newChannel(Channel channel) {
            boolean receives = channel.getConnection().getClientProvidedName().endsWith("receive");
            if (receives && opened.incrementAndGet() > CHANNELS) {
                try {
                    assertThat(released.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static void fill(RabbitMqFanoutQueue queue) {
        for (Lane lane : Lane.values()) {
            assertThat(queue.send(List.of(new Message(lane, lane + "0"), new Message(lane, lane + "1"))))
                    .containsOnly(Sent.CONFIRMED);
        }
    }

    private static void receiveAll(Subscription subscription, Lane lane) {
        Set<String> missing = new HashSet<>(Set.of(lane + "0", lane + "1"));
        await().atMost(LIMIT).until(() -> {
            List<Received> some = subscription.poll(10);
            subscription.acknowledge(some);
            some.forEach(message -> missing.remove(message.text()));
            return missing.isEmpty();
        });
    }

    private static void awaitStatus(RabbitMqFanoutQueue queue, Status status) {
        await().atMost(LIMIT).until(() -> queue.status() == status);
    }

    @Test
    @DisplayName("hears acknowledgements of the first subscription before the next one has begun")
    void acknowledgedEarly() {
        HeldChannels channels = new HeldChannels();
        factory.setMetricsCollector(channels);
        try (RabbitMqFanoutQueue queue = open()) {
            Subscription small = queue.receive(Lane.SMALL, 1, () -> {});
            Subscription bulk = queue.receive(Lane.BULK, 1, () -> {});
            fill(queue);
            await().atMost(LIMIT).until(() -> !small.poll(1).isEmpty());
            await().atMost(LIMIT).until(() -> !bulk.poll(1).isEmpty());
            channels.hold();
            proxy.resetAll();
            List<Received> early = new ArrayList<>();
            await().atMost(LIMIT).until(() -> early.addAll(small.poll(1)) || early.addAll(bulk.poll(1)));
            small.acknowledge(early);
            bulk.acknowledge(early);
            channels.release();
            String other = early.get(0).text().endsWith("0") ? "1" : "0";
            Subscription first = early.get(0).text().startsWith("SMALL") ? small : bulk;
            await().atMost(LIMIT)
                    .until(() -> first.poll(1).stream()
                            .anyMatch(message -> message.text().endsWith(other)));
        }
    }

    @Test
    @DisplayName("gives back what a subscription held that was closed before the next one has begun")
    void closedEarly() {
        HeldChannels channels = new HeldChannels();
        factory.setMetricsCollector(channels);
        try (RabbitMqFanoutQueue queue = open()) {
            AtomicInteger arrivals = new AtomicInteger();
            Subscription small = queue.receive(Lane.SMALL, 1, arrivals::incrementAndGet);
            Subscription bulk = queue.receive(Lane.BULK, 1, arrivals::incrementAndGet);
            fill(queue);
            await().atMost(LIMIT).until(() -> arrivals.get() == 2);
            channels.hold();
            proxy.resetAll();
            await().atMost(LIMIT).until(() -> arrivals.get() == 3);
            small.close();
            bulk.close();
            channels.release();
            awaitStatus(queue, Status.OPEN);
            for (Lane lane : Lane.values()) {
                receiveAll(queue.receive(lane, 10, () -> {}), lane);
            }
        }
    }

    @Test
    @DisplayName("begins again when the client has closed a channel because the host failed")
    void hostFails() {
        factory.setExceptionHandler(new StrictExceptionHandler());
        try (RabbitMqFanoutQueue queue = open()) {
            AtomicInteger arrivals = new AtomicInteger();
            Subscription subscription = queue.receive(Lane.SMALL, 1, () -> {
                if (arrivals.getAndIncrement() == 0) {
                    throw new AssertionError("for a test");
                }
            });
            fill(queue);
            await().atMost(LIMIT).until(() -> arrivals.get() > 1);
            receiveAll(subscription, Lane.SMALL);
        }
    }

    @Test
    @DisplayName("survives an Error while it does something on the connection, though the logger fails too")
    void errorInJob() {
        AtomicBoolean fails = new AtomicBoolean();
        factory.setMetricsCollector(new NoOpMetricsCollector() {
            @Override
            public void basicPublish(Channel channel) {
                if (fails.getAndSet(false)) {
                    throw new StackOverflowError("for a test");
                }
            }
        });
        Logger logger = (Logger) LoggerFactory.getLogger(RecoveringConnection.class);
        FailingAppender appender = new FailingAppender();
        appender.start();
        logger.addAppender(appender);
        try (RabbitMqFanoutQueue queue = open()) {
            fails.set(true);
            // The message was written before the Error, so the broker may still confirm it.
            assertThat(queue.send(List.of(new Message(Lane.SMALL, "first")))).hasSize(1);
            await().atMost(LIMIT).until(() -> appender.failed);
            await().atMost(LIMIT)
                    .until(() -> queue.send(List.of(new Message(Lane.SMALL, "second")))
                            .equals(List.of(Sent.CONFIRMED)));
            assertThat(queue.status()).isEqualTo(Status.OPEN);
        } finally {
            logger.detachAppender(appender);
        }
    }

    private static final class FailingAppender extends AppenderBase<ILoggingEvent> {
        private volatile boolean failed;

        @Override
        public synchronized void doAppend(ILoggingEvent event) {
            failed = true;
            throw new IllegalStateException("for a test");
        }

        @Override
        protected void append(ILoggingEvent event) {}
    }

    @Test
    @DisplayName("survives an Error while it connects")
    void errorInConnecting() {
        AtomicInteger failures = new AtomicInteger();
        factory.setSocketConfigurator(socket -> {
            if (failures.getAndDecrement() > 0) {
                throw new StackOverflowError("for a test");
            }
        });
        try (RabbitMqFanoutQueue queue = open()) {
            failures.set(4);
            proxy.resetAll();
            await().atMost(LIMIT).until(() -> failures.get() <= 0);
            awaitStatus(queue, Status.OPEN);
            fill(queue);
        }
    }
}
