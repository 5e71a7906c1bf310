package io.feedkit.internal.publish;

import io.feedkit.FeedKitException;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.spi.FanoutLog;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of this engine: its own one, or the one that all engines use, whose name the log keeps. An engine that
 * knows policies by name asks for the name when it publishes, if its answer is older than the staleness. A publish in a
 * transaction of the host does not wait for that: its thread holds a connection, and would need another one.
 * Thread-safe.
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

    public PolicySwitch(
            EngineSettings settings, FanoutLog fanoutLog, FanoutPolicy own, Map<String, FanoutPolicy> named) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.own = own;
        this.named = named;
        stalenessNanos = settings.staleness().toNanos();
        thread = new IdlingThread(settings, "policy", 1);
        askedAt = System.nanoTime() - stalenessNanos;
    }

    /** Sets the policy of this engine, which counts while all engines use none. */
    void own(FanoutPolicy policy) {
        own = policy;
    }

    /** Lets all engines use a policy that this one knows; {@code ""} for their own ones. */
    public void everywhere(String name) {
        if (!name.isEmpty() && !named.containsKey(name)) {
            throw new IllegalArgumentException("name must be one that the builder was given, "
                    + named.keySet().stream().sorted().toList() + ", but is " + name);
        }
        fanoutLog.usePolicy(name);
        switched.incrementAndGet();
        learn(name);
    }

    FanoutPolicy current() {
        if (isDue() && asking.compareAndSet(false, true)) {
            ask();
        }
        return chosen();
    }

    /** The policy, for a thread that holds a connection. */
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
            learn(name, before);
        } catch (FeedKitException e) {
            log.debug("{}: goes on with the policy that it knows", settings.name(), e);
        } finally {
            askedAt = System.nanoTime();
            asking.set(false);
        }
    }

    /** Learns the answer to a question, unless this engine has switched since. */
    private synchronized void learn(String name, long before) {
        if (switched.get() == before) {
            learn(name);
        }
    }

    private synchronized void learn(String name) {
        if (name.equals(shared)) {
            return;
        }
        shared = name;
        if (name.isEmpty() || named.containsKey(name)) {
            log.info("{}: uses {}", settings.name(), name.isEmpty() ? "its own policy" : "the policy " + name);
        } else {
            log.warn("{}: all engines are to use the policy {}, which this one does not know", settings.name(), name);
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
