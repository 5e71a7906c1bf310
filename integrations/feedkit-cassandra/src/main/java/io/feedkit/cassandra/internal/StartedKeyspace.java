package io.feedkit.cassandra.internal;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A keyspace that passed the check at start, or that the next use checks, because the server could not be reached at
 * the start. Thread-safe.
 */
public final class StartedKeyspace {

    private static final Logger log = LoggerFactory.getLogger(StartedKeyspace.class);

    private final String prefix;
    private final Supplier<CheckedKeyspace> check;
    private final ReentrantLock checking = new ReentrantLock();
    private volatile @Nullable CheckedKeyspace checked;

    private StartedKeyspace(String prefix, Supplier<CheckedKeyspace> check) {
        this.prefix = prefix;
        this.check = check;
    }

    /** A keyspace that passed the check. */
    public static StartedKeyspace of(String prefix, CheckedKeyspace checked) {
        StartedKeyspace started = new StartedKeyspace(prefix, () -> checked);
        started.passed(checked);
        return started;
    }

    /** A keyspace that could not be checked. */
    public static StartedKeyspace deferred(
            String prefix, Supplier<CheckedKeyspace> check, StoreUnavailableException failure) {
        log.warn(
                "{}: started without Cassandra; the first use that reaches it checks it: {}",
                prefix,
                failure.getMessage());
        return new StartedKeyspace(prefix, check);
    }

    private CheckedKeyspace passed(CheckedKeyspace passed) {
        passed.dangers().forEach(danger -> log.warn("{}: copies of inboxes: {}", prefix, danger));
        checked = passed;
        return passed;
    }

    /**
     * Returns the statements, after the check.
     *
     * @throws StoreUnavailableException if the server cannot be reached, or the check refuses the keyspace; an operator
     *     may change it, so the caller may retry
     */
    public CopyStatements statements(String operation) {
        CheckedKeyspace present = checked;
        return (present == null ? check(operation) : present).statements();
    }

    /** Callers do not wait for each other's checks, which may take their time-out. */
    private CheckedKeyspace check(String operation) {
        if (!checking.tryLock()) {
            throw unchecked(operation, new IllegalStateException("another call is checking the keyspace"));
        }
        try {
            CheckedKeyspace present = checked;
            return present == null ? passed(check.get()) : present;
        } catch (FeedKitException e) {
            throw unchecked(operation, e);
        } finally {
            checking.unlock();
        }
    }

    private static StoreUnavailableException unchecked(String operation, RuntimeException why) {
        return new StoreUnavailableException(
                operation, new IllegalStateException("not checked yet: " + why.getMessage(), why));
    }

    /** What endangers the copies; empty before the check. */
    public List<String> dangers() {
        return Optional.ofNullable(checked).map(CheckedKeyspace::dangers).orElse(List.of());
    }
}
