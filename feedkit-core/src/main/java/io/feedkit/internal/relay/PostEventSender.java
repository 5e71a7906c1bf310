package io.feedkit.internal.relay;

import io.feedkit.internal.fanout.RoundThreads;
import io.feedkit.internal.fanout.RoundThreads.Found;
import io.feedkit.internal.fanout.RoundThreads.Work;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEventSink;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PostEventLog.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends post events to the host's sink. Events that the sink has confirmed are deleted; the others go back to the log
 * at once. While the sink confirms nothing, the pauses between the attempts grow. Any number of senders may share a
 * log. If a sender dies before that, the leases of its events run out. Thread-safe.
 */
public final class PostEventSender implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostEventSender.class);

    private static final int MOST_AT_ONCE = 256;

    private static final Duration FIRST_REST = Duration.ofMillis(10);

    private final String engine;
    private final PostEventLog events;
    private final PostEventSink sink;
    private final long leaseMillis;
    private final GrowingPause pause;
    private final WarningLimiter warnings;
    private final RoundThreads thread;

    public PostEventSender(EngineSettings settings, PostEventLog events, PostEventSink sink, GuardedListener listener) {
        this.engine = settings.name();
        this.events = events;
        this.sink = sink;
        this.leaseMillis = settings.fanout().tasks().lease().toMillis();
        this.pause = GrowingPause.untilNextTry(settings.clock());
        this.warnings = new WarningLimiter(settings.clock());
        this.thread = new RoundThreads(
                log,
                settings,
                listener,
                new Work("post event sender", "post-events", 1, FIRST_REST, () -> Relay.idleRest(settings), this::run));
    }

    /** Returns the view of an outbox that records events, for an engine that sends them. */
    public static EventRecording recording(Outbox outbox) {
        return outbox.recordingEvents()
                .orElseThrow(() -> new IllegalArgumentException(
                        "postEvents needs an outbox that records an event in the step of the publish or the delete, "
                                + "but the outbox of this store cannot: keep the outbox in SQL or in memory (the "
                                + "inboxes may stay where they are), or leave postEvents out"));
    }

    public void start() {
        thread.start();
    }

    /** Wakes the sender: there may be an event. */
    public void wake() {
        thread.wake();
    }

    /** Wakes the sender, and makes it look again soon: an event may become visible shortly. */
    public void wakeSoon() {
        thread.wakeSoon();
    }

    private Found run() {
        if (!pause.isOver()) {
            return Found.NOTHING;
        }
        List<Claim> claims = events.claim(MOST_AT_ONCE, leaseMillis);
        if (claims.isEmpty()) {
            return Found.NOTHING;
        }
        List<Claim> confirmed = send(claims);
        if (confirmed.isEmpty()) {
            log.atLevel(warnings.level())
                    .log(
                            "{}: the sink did not confirm {} post events; they stay in the store until the next try; "
                                    + "failures of the next minutes are logged at DEBUG",
                            engine,
                            claims.size());
            return Found.NOTHING;
        }
        pause.end();
        events.finish(confirmed);
        return claims.size() == MOST_AT_ONCE ? Found.MORE : Found.SOME;
    }

    /** Sends the events, and returns the confirmed ones. The others go back to the log. */
    private List<Claim> send(List<Claim> claims) {
        List<Claim> confirmed = new ArrayList<>();
        List<Claim> others = new ArrayList<>(claims);
        try {
            List<Sent> sent = sink.send(claims.stream().map(Claim::event).toList());
            for (int i = claims.size() - 1; i >= 0; i--) {
                if (sent.get(i) == Sent.CONFIRMED) {
                    confirmed.add(others.remove(i));
                }
            }
        } finally {
            if (confirmed.isEmpty()) {
                pause.begin();
            }
            if (!others.isEmpty()) {
                events.release(others);
            }
        }
        return confirmed;
    }

    /** Stops the sender. Events that it has not sent stay in the log. */
    @Override
    public void close() {
        thread.close();
    }
}
