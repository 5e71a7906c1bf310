package io.feedkit.kafka.internal;

import io.feedkit.queue.FanoutQueue.Sent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The outcomes of the messages of a batch. One thread sends it and waits; any thread may report an outcome. */
final class Delivery {

    private final AtomicReferenceArray<@Nullable Sent> answers;
    private final CountDownLatch missing;
    private final Thread sending = Thread.currentThread();
    private volatile boolean aborted;
    private volatile boolean late;
    private volatile boolean unacceptable;

    Delivery(int messages) {
        answers = new AtomicReferenceArray<>(messages);
        missing = new CountDownLatch(messages);
    }

    /** Whether a message failed before it could be sent, so that the rest of the batch need not try. */
    boolean isAborted() {
        return aborted;
    }

    /** Whether an answer did not come in time. */
    boolean isLate() {
        return late;
    }

    /** Whether the brokers would refuse a message again, however often it is sent. */
    boolean isUnacceptable() {
        return unacceptable;
    }

    void refuse(int i) {
        answer(i, Sent.REFUSED);
    }

    void giveUp(int i) {
        aborted = true;
        refuse(i);
    }

    /** A producer that fails before it has stored the message reports that on the sending thread. */
    Callback callback(int i) {
        return (metadata, failure) -> {
            if (failure == null) {
                answer(i, Sent.CONFIRMED);
                return;
            }
            boolean atOnce = Thread.currentThread() == sending;
            if (failure instanceof TimeoutException) {
                late = true;
                aborted |= atOnce;
            }
            if (isUnacceptable(failure)) {
                unacceptable = true;
            }
            answer(i, atOnce || isRefusal(failure) ? Sent.REFUSED : Sent.UNKNOWN);
        };
    }

    /** Whether no broker has the message after this failure. */
    private static boolean isRefusal(Exception failure) {
        return isUnacceptable(failure)
                || failure instanceof InvalidTopicException
                || failure instanceof AuthorizationException;
    }

    private static boolean isUnacceptable(Exception failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidRecordException;
    }

    private void answer(int i, Sent sent) {
        if (answers.compareAndSet(i, null, sent)) {
            missing.countDown();
        }
    }

    /** Waits for the answers. */
    void await(long nanos) {
        try {
            late |= !missing.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The outcomes so far; unknown for messages without an answer. */
    List<Sent> answers() {
        List<Sent> all = new ArrayList<>(answers.length());
        for (int i = 0; i < answers.length(); i++) {
            all.add(Optional.ofNullable(answers.get(i)).orElse(Sent.UNKNOWN));
        }
        return Collections.unmodifiableList(all);
    }
}
