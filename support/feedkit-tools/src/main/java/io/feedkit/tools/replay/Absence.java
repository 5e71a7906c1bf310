package io.feedkit.tools.replay;

import io.feedkit.FeedEngine;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets all readers go away in the middle of a run: their inboxes are reconciled, copied and dropped. Readers
 * come back with their next read.
 */
final class Absence {

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Readers who follow nobody have no copy. So the wait ends after some looks without a new copy. */
    private static final int QUIET_LOOKS = 10;

    private static final int READERS_AT_ONCE = 500;

    private final InboxCopies copies;
    private final Inbox inbox;
    private final List<String> readers;

    Absence(InboxCopies copies, Inbox inbox, List<String> readers) {
        this.copies = copies;
        this.inbox = inbox;
        this.readers = readers;
    }

    /** Reconciles the inboxes, waits for the copies, and drops the inboxes. */
    void begin(FeedEngine engine, FeedReaders threads, List<Long> numbers) {
        FeedReaders.Reading refresh = reader -> {
            engine.refresh(Names.reader(reader));
            return List.of();
        };
        threads.readAll(numbers, refresh, (reader, feed) -> {});
        awaitCopies();
        for (int from = 0; from < readers.size(); from += READERS_AT_ONCE) {
            inbox.drop(part(from));
        }
    }

    /** A thread of the engine writes copies. */
    private void awaitCopies() {
        long before = -1;
        for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
            long written = tokens();
            if (written != before) {
                before = written;
                quiet = 0;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** Changes with each copy that is written. */
    private long tokens() {
        long sum = 0;
        for (int from = 0; from < readers.size(); from += READERS_AT_ONCE) {
            sum += copies.heads(part(from)).stream()
                    .flatMap(head -> head.stream())
                    .mapToLong(head -> head.token())
                    .sum();
        }
        return sum;
    }

    private List<String> part(int from) {
        return readers.subList(from, Math.min(readers.size(), from + READERS_AT_ONCE));
    }
}
