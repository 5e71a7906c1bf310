package io.feedkit.kafka.internal;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.kafka.KafkaPostIntake.Change;
import io.feedkit.kafka.internal.IntakeRecord.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Applies the changes of the records of one partition, in their order. Adjacent records with the same kind of change
 * are one call to the engine. If the engine refuses such a batch, it is halved until the refused records are found;
 * these are moved to the dead letters. A policy that throws counts as a refusal, because it would throw again.
 *
 * @param deadLetters receives unusable records, each with the cause
 */
record PostChanges(FeedEngine engine, BiConsumer<IntakeRecord, Throwable> deadLetters) {

    /**
     * Applies the changes of records.
     *
     * @param records records of one partition
     * @param done receives the records that were applied or moved to the dead letters, in their order
     */
    void apply(List<IntakeRecord> records, Consumer<List<IntakeRecord>> done) {
        int begin = 0;
        while (begin < records.size()) {
            int end = endOfBatch(records, begin);
            applyBatch(records.subList(begin, end), done);
            begin = end;
        }
    }

    private static int endOfBatch(List<IntakeRecord> records, int begin) {
        Kind kind = records.get(begin).kind();
        int end = begin + 1;
        while (end < records.size() && isOneBatch(kind, records.get(end).kind())) {
            kind = kind == Kind.NOTHING ? records.get(end).kind() : kind;
            end++;
        }
        return end;
    }

    private static boolean isOneBatch(Kind batch, Kind next) {
        boolean alone = batch == Kind.MIXED || batch == Kind.UNUSABLE || next == Kind.MIXED || next == Kind.UNUSABLE;
        return !alone && (batch == next || batch == Kind.NOTHING || next == Kind.NOTHING);
    }

    private void applyBatch(List<IntakeRecord> batch, Consumer<List<IntakeRecord>> done) {
        if (batch.get(0).failure().isPresent()) {
            deadLetters.accept(batch.get(0), batch.get(0).failure().get());
            done.accept(batch);
            return;
        }
        try {
            applyChanges(
                    batch.stream().flatMap(record -> record.changes().stream()).toList());
        } catch (IllegalArgumentException | CallbackException e) {
            if (batch.size() > 1) {
                int half = batch.size() / 2;
                applyBatch(batch.subList(0, half), done);
                applyBatch(batch.subList(half, batch.size()), done);
                return;
            }
            deadLetters.accept(batch.get(0), e);
        }
        done.accept(batch);
    }

    /** Applies changes in their order, adjacent changes of one kind in one call. */
    private void applyChanges(List<Change> changes) {
        List<Post> posts = new ArrayList<>();
        List<PostKey> keys = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.Publish publish) {
                delete(keys);
                posts.add(publish.post());
            } else if (change instanceof Change.Delete delete) {
                publish(posts);
                keys.add(delete.key());
            }
        }
        publish(posts);
        delete(keys);
    }

    private void publish(List<Post> posts) {
        if (!posts.isEmpty()) {
            engine.publishAll(posts);
            posts.clear();
        }
    }

    private void delete(List<PostKey> keys) {
        if (!keys.isEmpty()) {
            engine.deleteAll(keys);
            keys.clear();
        }
    }
}
