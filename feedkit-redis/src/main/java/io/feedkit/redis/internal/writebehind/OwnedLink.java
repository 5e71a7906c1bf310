package io.feedkit.redis.internal.writebehind;

import io.feedkit.ForeignStoreException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.connection.FailureLogLevel;
import io.feedkit.redis.internal.format.Keys;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A link to the cached changes of one source of truth. It claims the changes before the first call. While they belong
 * to another source of truth, every call fails. It remembers whether the servers answer. Thread-safe.
 */
final class OwnedLink {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedLink.class);

    /** How long reads skip servers that did not answer, before one read asks them again. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Link link;
    private final Identities identities;
    private final String identity;
    private volatile boolean claimed;
    private volatile Optional<ForeignStoreException> foreign = Optional.empty();

    /** The groups of slots that do not answer, and when each was asked last. In a cluster, other groups may answer. */
    private final Map<Integer, Long> unreachable = new ConcurrentHashMap<>();

    private final FailureLogLevel failures = new FailureLogLevel(Clock.systemUTC());

    OwnedLink(Link link, Keys keys, String identity) {
        this.link = link;
        this.identities = new Identities(link, keys);
        this.identity = identity;
    }

    /**
     * Claims the changes for the source of truth. A server that has lost all data is claimed again.
     *
     * @throws ForeignStoreException if they belong to another source of truth
     */
    void claim() {
        try {
            identities.require(
                    FormatComponent.PENDING_CHANGES,
                    identity,
                    "the unwritten changes of counters",
                    "WriteBehindCounterStore.Builder.adopt");
            foreign = Optional.empty();
            claimed = true;
        } catch (ForeignStoreException e) {
            foreign = Optional.of(e);
            throw e;
        }
    }

    /**
     * Claims the changes as {@link #claim}. If the servers do not answer, the first call that they answer claims the
     * changes.
     */
    void claimIfReachable() {
        try {
            claim();
        } catch (StoreUnavailableException e) {
            LOG.debug("cannot claim the unwritten counter changes in Redis yet; the next call retries", e);
        }
    }

    /** Whether the last calls were answered. */
    boolean isReachable() {
        return claimed && unreachable.isEmpty();
    }

    private void failed(Set<Integer> groups, StoreUnavailableException failure) {
        if (link.isClosed()) {
            return;
        }
        boolean first = unreachable.isEmpty();
        long now = System.nanoTime();
        groups.forEach(group -> unreachable.put(group, now));
        if (first) {
            Level level;
            synchronized (failures) {
                level = failures.of(failure);
            }
            LOG.atLevel(level)
                    .setCause(failure)
                    .log("Redis does not answer: counters are read from the source of truth, without changes that are"
                            + " not written to it yet");
        }
    }

    /** As {@link Link#apart}. */
    <I> ToIntFunction<I> apart(ToIntFunction<I> slotGroup) {
        return link.apart(slotGroup);
    }

    /** As {@link Link#runAll}. After that, the next read asks the servers again. */
    <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls) {
        List<T> answers = own(operation).runAll(operation, effect, calls);
        long expired = System.nanoTime() - PAUSE_NANOS;
        unreachable.replaceAll((group, at) -> expired);
        return answers;
    }

    /**
     * Sends calls that change nothing, and waits for the answers.
     *
     * @param groups the groups of slots that are asked, as by {@link #apart}
     */
    <T> List<T> ask(String operation, List<Call<T>> calls, Set<Integer> groups) {
        List<T> answers = own(operation).ask(operation, calls).get();
        groups.forEach(unreachable::remove);
        return answers;
    }

    /**
     * As {@link #ask}. Empty if the servers do not answer. For a second after that, only one caller waits for them, so
     * that not every read takes as long as the time-out.
     */
    <T> Optional<List<T>> askIfReachable(String operation, List<Call<T>> calls, Set<Integer> groups) {
        requireNotForeign(operation);
        if (!link.isClosed() && !groups.stream().allMatch(this::mayAsk)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ask(operation, calls, groups));
        } catch (StoreUnavailableException e) {
            if (link.isClosed() || foreign.isPresent()) {
                throw e;
            }
            failed(groups, e);
            return Optional.empty();
        }
    }

    /** Whether to ask a group now. Of several callers, one may ask a group that did not answer. */
    private boolean mayAsk(int group) {
        Long failed = unreachable.get(group);
        long now = System.nanoTime();
        return failed == null || (now - failed >= PAUSE_NANOS && unreachable.replace(group, failed, now));
    }

    private void requireNotForeign(String operation) {
        Optional<ForeignStoreException> found = foreign;
        if (found.isPresent()) {
            throw new StoreUnavailableException(operation, found.get());
        }
    }

    /** The link, once the changes are claimed. */
    private Link own(String operation) {
        requireNotForeign(operation);
        if (!claimed) {
            try {
                claim();
            } catch (ForeignStoreException e) {
                throw new StoreUnavailableException(operation, e);
            }
        }
        return link;
    }
}
