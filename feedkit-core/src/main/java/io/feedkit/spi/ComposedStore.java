package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.health.StorePart;
import io.feedkit.internal.check.Arguments;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A store that is composed of parts, and closes them. If a part cannot be opened, the parts that were opened before are
 * closed:
 *
 * <pre>{@code
 * ComposedStore store = ComposedStore.of(parts -> {
 *     JdbcFeedStore sql = parts.add(JdbcFeedStore.create(dataSource));
 *     RedisInboxes inboxes = parts.add(RedisInboxes.create(servers));
 *     return FeedStore.of(
 *             sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
 * });
 * }</pre>
 *
 * <p>The host must close the engines on the store first. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class ComposedStore implements FeedStore, AutoCloseable {

    /** Opens the parts of a store, and puts them together. */
    @FunctionalInterface
    public interface Composition {

        /**
         * Makes the store.
         *
         * @param parts collects the parts to close
         * @return the store
         */
        FeedStore compose(Parts parts);
    }

    /** The parts that are closed with the store. For use by one thread. */
    public static final class Parts {

        private static final List<StoreDescription> NONE = List.of();

        private final Deque<AutoCloseable> added = new ArrayDeque<>();

        private Parts() {}

        /**
         * Adds a part. Parts are closed in the reverse order.
         *
         * @param part the part
         * @param <P> its type
         * @return the part
         */
        public <P extends AutoCloseable> P add(P part) {
            added.push(Arguments.nonNull("part", part));
            return part;
        }

        private List<StoreDescription> describe(FeedStore store) {
            List<StoreDescription> described = new ArrayList<>();
            Set<Data> left = EnumSet.range(Data.POSTS, Data.INBOXES);
            for (AutoCloseable part : added) {
                List<StoreDescription> places = part instanceof StorePart known ? known.describe() : NONE;
                Set<Data> used = EnumSet.copyOf(left);
                if (part instanceof FeedStore whole && whole.graph() != store.graph()) {
                    used.remove(Data.FOLLOWS);
                }
                places.forEach(place -> take(place, used, left, described));
            }
            store.describe().forEach(place -> take(place, left, left, described));
            return described;
        }

        /** Adds what a place has of the data that no other place has taken. */
        private static void take(
                StoreDescription place, Set<Data> used, Set<Data> left, List<StoreDescription> described) {
            Set<Data> kept = EnumSet.noneOf(Data.class);
            kept.addAll(used);
            kept.retainAll(place.data());
            left.removeAll(kept);
            if (!kept.isEmpty()) {
                described.add(0, place.with(kept));
            }
        }

        /** Closes all parts, whatever their failures, and returns the failures as one. */
        private <E extends Throwable> E close(E cause) {
            while (!added.isEmpty()) {
                try {
                    added.pop().close();
                } catch (Throwable e) {
                    if (e instanceof InterruptedException) {
                        Thread.currentThread().interrupt();
                    }
                    cause.addSuppressed(e);
                }
            }
            return cause;
        }
    }

    private final FeedStore store;
    private final Parts parts;

    private ComposedStore(FeedStore store, Parts parts) {
        this.store = store;
        this.parts = parts;
    }

    /**
     * Makes a store of parts. If that fails, the parts that were added are closed.
     *
     * @param composition opens and combines the parts; its exceptions reach the caller
     * @return the store
     */
    public static ComposedStore of(Composition composition) {
        Arguments.nonNull("composition", composition);
        Parts parts = new Parts();
        try {
            return new ComposedStore(Arguments.nonNull("composition", composition.compose(parts)), parts);
        } catch (RuntimeException e) {
            throw parts.close(e);
        } catch (Error e) {
            throw parts.close(e);
        }
    }

    @Override
    public Outbox outbox() {
        return store.outbox();
    }

    @Override
    public Outbox outboxForFollowers() {
        return store.outboxForFollowers();
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return store.inbox(limits);
    }

    @Override
    public FollowGraph graph() {
        return store.graph();
    }

    @Override
    public SeenMarks seenMarks() {
        return store.seenMarks();
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots();
    }

    /**
     * {@inheritDoc}
     *
     * <p>If several parts can keep the same data, the part that was added last has it, as in the example above. A
     * follow graph of the host's is not described.
     */
    @Override
    public List<StoreDescription> describe() {
        return parts.describe(store);
    }

    @Override
    public String toString() {
        return "ComposedStore[" + store + "]";
    }

    /**
     * Closes the parts, the last one first. Idempotent.
     *
     * @throws IllegalStateException if a part could not be closed; the others are closed, and the failures are
     *     suppressed exceptions
     */
    @Override
    public synchronized void close() {
        RuntimeException failed = parts.close(new IllegalStateException("parts of the store could not be closed"));
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }
}
