package io.feedkit.internal.publish;

import io.feedkit.FeedKitException;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.spi.FanoutLog;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the policy of this engine: its own policy, or a named policy that all engines use. The fan-out log keeps that
 * name. An engine that knows policies by name reads the name when it publishes, unless it has read it within the
 * staleness bound. A publish in a transaction of the host does not wait for this read: its thread holds a connection,
 * and would need another one. Thread-safe.
 */
public final class PolicySwitch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PolicySwitch.class);

    private final EngineSettings settings;
    private final FanoutLog fanoutLog;
    private final Map<String, FanoutPolicy> named;
    private final long stalenessNanos;
    private final IdlingThread thread;
    private final AtomicBoolean asking = new AtomicBoolean();
    private final AtomicLong switched = new AtomicLong();
    private volatile FanoutPolicy own;
    private volatile String shared = "";
    private volatile long askedAt;

    public PolicySwitch(EngineSettings settings, FanoutLog fanoutLog, Policies policies) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.own = policies.own();
        this.named = policies.named();
        stalenessNanos = settings.reading().staleness().toNanos();
        thread = new IdlingThread(settings, "policy", 1);
        askedAt = System.nanoTime() - stalenessNanos;
    }

    /** Sets this engine's own policy. It is used while no known policy is set for all engines. */
    public void own(FanoutPolicy policy) {
        own = policy;
    }

    /**
     * Makes all engines use a policy whose name this engine knows. With {@code ""}, each engine uses its own policy.
     */
    public void everywhere(String name) {
        if (!name.isEmpty() && !named.containsKey(name)) {
            throw new IllegalArgumentException("name must be a policy that the builder was given, "
                    + named.keySet().stream().sorted().toList() + ", but is " + name);
        }
        fanoutLog.usePolicy(name);
        switched.incrementAndGet();
        adopt(name);
    }

    /** The name of the policy that all engines use, as the store has it; empty if each uses its own. */
    public Optional<String> name() {
        return Optional.of(fanoutLog.policyInUse()).filter(name -> !name.isEmpty());
    }

    FanoutPolicy current() {
        if (isDue() && asking.compareAndSet(false, true)) {
            ask();
        }
        return chosen();
    }

    /** The policy, for a thread that holds a connection: does not wait for the store. */
    FanoutPolicy currentWithoutAsking() {
        if (isDue() && asking.compareAndSet(false, true)) {
            try {
                Future<?> unused = thread.submit(this::ask);
            } catch (RejectedExecutionException e) {
                asking.set(false);
                log.trace("closed", e);
            }
        }
        return chosen();
    }

    private boolean isDue() {
        return !named.isEmpty() && System.nanoTime() - askedAt >= stalenessNanos;
    }

    private void ask() {
        try {
            long before = switched.get();
            String name = fanoutLog.policyInUse();
            adopt(name, before);
        } catch (FeedKitException e) {
            log.debug("{}: cannot read which policy all engines use; keeping the last known one", settings.name(), e);
        } finally {
            askedAt = System.nanoTime();
            asking.set(false);
        }
    }

    /** Adopts a name that was read, unless this engine has set another one since. */
    private synchronized void adopt(String name, long before) {
        if (switched.get() == before) {
            adopt(name);
        }
    }

    private synchronized void adopt(String name) {
        if (name.equals(shared)) {
            return;
        }
        shared = name;
        if (name.isEmpty() || named.containsKey(name)) {
            log.info("{}: now uses {}", settings.name(), name.isEmpty() ? "its own policy" : "the policy " + name);
        } else {
            log.warn(
                    "{}: does not know the policy {} that is set for all engines, and uses its own; give it to the "
                            + "builder as a named policy",
                    settings.name(),
                    name);
        }
    }

    private FanoutPolicy chosen() {
        FanoutPolicy all = named.get(shared);
        return all == null ? own : all;
    }

    @Override
    public void close() {
        thread.close();
    }
}
