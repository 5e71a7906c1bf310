package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.ScriptClock;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Notices a server that took another's place. A master has a replication id, and gets a new one when it is promoted or
 * restarted. So an unknown id means that the server may lack writes that were acknowledged. (It may also mean that a
 * server joined the cluster, or was without replicas for an hour; then nothing was lost.) After a start without the
 * servers, their first ids count as unknown, because they may have restarted meanwhile. Thread-safe.
 */
final class FailoverDetector {

    private static final String OPERATION = "inbox.trustedSince";
    private static final Pattern MASTER_ID = Pattern.compile("role:master\\b.*\\bmaster_replid:(\\w+)", Pattern.DOTALL);

    private final Lock lock = new ReentrantLock();
    private final Link link;
    private final ScriptClock clock;
    private final Set<String> known = new HashSet<>();
    private long unknownAt;

    FailoverDetector(Link link, ScriptClock clock) {
        this.link = link;
        this.clock = clock;
    }

    /** The time of the last answer with an unknown id; 0 if all ids were known since the first answer. */
    long unknownAt() {
        lock.lock();
        try {
            Set<String> ids = ids();
            boolean expected = known.isEmpty() && !link.isDeferred();
            if (!expected && !known.containsAll(ids)) {
                unknownAt = now();
            }
            known.addAll(ids);
            return unknownAt;
        } finally {
            lock.unlock();
        }
    }

    /** The time of the test's clock, or of the server whose clock is ahead of all others. */
    private long now() {
        byte[] set = clock.now();
        if (set.length > 0) {
            return number(set);
        }
        Call<List<Object>> time = Call.general(CommandType.TIME, ArrayOutput::new);
        return link.runOnEach(OPERATION, time).values().stream()
                .mapToLong(parts -> 1000 * number((byte[]) parts.get(0)) + number((byte[]) parts.get(1)) / 1000)
                .max()
                .orElseThrow();
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
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
