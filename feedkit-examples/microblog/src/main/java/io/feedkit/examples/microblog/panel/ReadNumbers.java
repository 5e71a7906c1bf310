package io.feedkit.examples.microblog.panel;

import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Remembers what FeedKit reports of reads: on the thread that reads, before the parts of cards are loaded. */
@Component
class ReadNumbers implements FeedListener {

    /**
     * The reads of a thread together.
     *
     * @param sent how many round trips the thread had made at the end of the last read
     */
    record Reads(int fromInbox, int fromOutboxes, int outboxCalls, Duration took, int sent) {

        static final Reads NONE = new Reads(0, 0, 0, Duration.ZERO, 0);

        Reads plus(FeedRead read) {
            return new Reads(
                    fromInbox + read.fromInbox(),
                    fromOutboxes + read.fromOutboxes(),
                    outboxCalls + read.outboxCalls(),
                    took.plus(read.took()),
                    RoundTrips.sent());
        }
    }

    private final ThreadLocal<Reads> reads = ThreadLocal.withInitial(() -> Reads.NONE);

    void begin() {
        reads.remove();
    }

    Reads get() {
        return reads.get();
    }

    @Override
    public void read(FeedRead event) {
        reads.set(reads.get().plus(event));
    }
}
