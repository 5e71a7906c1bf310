package io.feedkit.redis.internal.writebehind;

import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Reports to the source which users are active although their marks do not change, once a day for each user and
 * process. A call only records its users, so that it neither fails nor waits; the next flush reports them. Thread-safe.
 */
final class Renewals {

    private static final Set<Space> SPACES = EnumSet.of(Space.ANNOUNCEMENTS_SEEN, Space.DOTS);

    /** The most users who are remembered. Beyond that, users are reported again. */
    private static final int MOST = 100_000;

    private final CounterSource source;
    private final LongSupplier millis;

    /** The day of each user's last report. */
    private final Map<Owner, Long> reported = new ConcurrentHashMap<>();

    private final Set<Owner> due = ConcurrentHashMap.newKeySet();

    Renewals(CounterSource source, LongSupplier millis) {
        this.source = source;
        this.millis = millis;
    }

    /** Records users who are active. */
    void note(Collection<Owner> owners) {
        long today = today();
        for (Owner owner : owners) {
            if (SPACES.contains(owner.space()) && reported.getOrDefault(owner, -1L) != today && due.size() < MOST) {
                due.add(owner);
            }
        }
    }

    /** Reports the recorded users. If that fails, they stay recorded. */
    void report() {
        List<Owner> some = List.copyOf(due);
        if (some.isEmpty()) {
            return;
        }
        long today = today();
        source.renew(some);
        if (reported.size() + some.size() > MOST) {
            reported.clear();
        }
        some.forEach(owner -> reported.put(owner, today));
        due.removeAll(some);
    }

    private long today() {
        return TimeUnit.MILLISECONDS.toDays(millis.getAsLong());
    }
}
