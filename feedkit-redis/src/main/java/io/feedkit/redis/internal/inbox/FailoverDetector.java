package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.ScriptClock;
import io.lettuce.core.codec.ByteArrayCodec;
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
 * Notices servers that are in the places of others. A master has an id of its replication, and a new one from the moment that it was promoted or restarted; so an id that
 * was not seen before says that what its server holds may be older than what was acknowledged. (It may also say that a server joined the cluster, or was without
 * replicas for an hour: then nothing was lost.) Servers that could not be reached at start are unknown when they first answer: they may have restarted in between. Thread-safe.
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

    /** When there last was a server that had not been known; 0 if there was none since the first answer. */
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

    /** By the test's clock, or that of the server that is ahead of all others. */
    private long now() {
        byte[] set = clock.now();
        if (set.length > 0) {
            return number(set);
        }
        Call<List<Object>> time = Call.general(CommandType.TIME, () -> new ArrayOutput<>(ByteArrayCodec.INSTANCE));
        return link.runOnEach(OPERATION, time).values().stream()
                .mapToLong(parts -> 1000 * number((byte[]) parts.get(0)) + number((byte[]) parts.get(1)) / 1000)
                .max()
                .orElseThrow();
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private Set<String> ids() {
        Call<String> info =
                Call.general(CommandType.INFO, () -> new StatusOutput<>(ByteArrayCodec.INSTANCE), "replication");
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
