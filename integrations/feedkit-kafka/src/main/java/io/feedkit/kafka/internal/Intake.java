package io.feedkit.kafka.internal;

import io.feedkit.FeedEngine;
import io.feedkit.kafka.KafkaPostIntake.Change;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The thread of an intake, and what it uses. Thread-safe. */
public final class Intake implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final RecordSender deadLetters;
    private final Receiver receiver;

    /** Creates an intake, without starting it. */
    public Intake(
            ClientSettings clients,
            IntakeSettings settings,
            FeedEngine engine,
            Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping) {
        IntakeSession.check(clients, settings);
        deadLetters = new RecordSender(clients, "dead letters of " + settings.topic(), settings.sendTimeout());
        PostChanges changes = new PostChanges(engine, new DeadLetters(settings.deadLetters(), deadLetters)::add);
        receiver = new Receiver(
                "intake-" + settings.topic(),
                self -> new IntakeSession(clients, settings, changes, mapping),
                self -> {});
    }

    public void start() {
        receiver.start();
    }

    /** Stops the thread after its present call to the store, and waits for that in bounded time. */
    @Override
    public void close() {
        receiver.stop();
        receiver.awaitEnd(System.nanoTime() + CLOSE_LIMIT.toNanos());
        deadLetters.close();
    }
}
