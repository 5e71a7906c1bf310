package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Inbox;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detects that a server has replaced another one. A master has a replication id, and gets a new one when it is promoted
 * or restarted. So an unknown id means that the server may lack writes that were acknowledged. (It may also mean that a
 * server joined the cluster, or was without replicas for an hour; then nothing was lost.) After a start without the
 * servers, their first ids count as unknown, because they may have restarted meanwhile.
 *
 * <p>Redis keeps the time at which a process first noticed an id. So all processes identify a loss by the same time,
 * whenever they notice it or start. If a process continued to deliver for long after that time, it may have delivered
 * to the replaced server; then it sets a later time. Thread-safe.
 */
final class FailoverDetector {

    private static final String OPERATION = "inbox.deliveriesSafeSince";
    private static final Pattern MASTER_ID = Pattern.compile("role:master\\b.*\\bmaster_replid:(\\w+)", Pattern.DOTALL);

    private final Lock lock = new ReentrantLock();
    private final Link link;
    private final InboxKeys keys;
    private final ScriptClock clock;
    private final Set<String> known = new HashSet<>();
    private long latest;
    private volatile long delivered;
    private volatile boolean hasDelivered;

    FailoverDetector(Link link, InboxKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    /** Records that a delivery was acknowledged now. */
    void delivered() {
        delivered = System.nanoTime();
        hasDelivered = true;
    }

    /** The time of the latest loss; 0 if there was none. */
    long latestLoss() {
        lock.lock();
        try {
            Set<String> ids = ids();
            boolean expected = known.isEmpty() && !link.isDeferred();
            List<byte[]> arguments = new ArrayList<>(List.of(
                    clock.now(),
                    Arguments.millis(latest),
                    Arguments.millis(Inbox.LOSS_NOTICED_WITHIN_MILLIS),
                    hasDelivered
                            ? Arguments.millis(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - delivered))
                            : Arguments.text("")));
            ids.stream()
                    .filter(id -> !expected && !known.contains(id))
                    .map(Arguments::text)
                    .forEach(arguments::add);
            latest = link.run(OPERATION, Effect.WRITE, InboxScripts.LOSS.on(List.of(keys.losses()), arguments));
            known.addAll(ids);
            return latest;
        } finally {
            lock.unlock();
        }
    }

    private Set<String> ids() {
        Call<String> info = Call.general(CommandType.INFO, StatusOutput::new, "replication");
        Set<String> ids = new HashSet<>();
        for (String answer : link.runOnEach(OPERATION, info).values()) {
            Matcher master = MASTER_ID.matcher(answer);
            if (master.find()) {
                ids.add(master.group(1));
            }
        }
        return ids;
    }
}
