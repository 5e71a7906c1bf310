package io.feedkit.kafka.internal;

import io.feedkit.kafka.KafkaPostIntake.Change;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of the host's, and the changes that it requests.
 *
 * @param changes the changes; none if the mapping has failed
 * @param failure why the record cannot be used
 */
record IntakeRecord(ConsumerRecord<byte[], byte[]> record, List<Change> changes, Optional<Throwable> failure) {

    /** The kind of changes that the records of a batch have in common. */
    enum Kind {
        PUBLISHES,
        DELETES,
        /** The record has changes of both kinds, and is a batch by itself. */
        MIXED,
        /** The record has no changes, and belongs to any batch. */
        NOTHING,
        UNUSABLE
    }

    static IntakeRecord of(
            ConsumerRecord<byte[], byte[]> record, Function<ConsumerRecord<byte[], byte[]>, List<Change>> mapping) {
        try {
            return new IntakeRecord(record, List.copyOf(mapping.apply(record)), Optional.empty());
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            return new IntakeRecord(record, List.of(), Optional.of(e));
        }
    }

    Kind kind() {
        if (failure.isPresent()) {
            return Kind.UNUSABLE;
        }
        boolean publishes = changes.stream().anyMatch(Change.Publish.class::isInstance);
        boolean deletes = changes.stream().anyMatch(Change.Delete.class::isInstance);
        if (publishes && deletes) {
            return Kind.MIXED;
        }
        return publishes ? Kind.PUBLISHES : deletes ? Kind.DELETES : Kind.NOTHING;
    }

    String place() {
        return record.topic() + "-" + record.partition() + " at " + record.offset();
    }
}
