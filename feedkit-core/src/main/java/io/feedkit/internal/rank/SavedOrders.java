package io.feedkit.internal.rank;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.paging.RankPlace;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.spi.RankSnapshots;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Saves the orders of rankings, and finds them again. Names are random, because a name must not mean another order
 * after a store has lost the first one. While the store is down, it is not called. Thread-safe.
 */
final class SavedOrders {

    private final RankSnapshots snapshots;
    private final CircuitBreaker breaker;
    private final long lifetimeMillis;

    SavedOrders(EngineSettings settings, RankSnapshots snapshots) {
        this.snapshots = snapshots;
        this.breaker = new CircuitBreaker(
                settings, "the store of ranked orders is down; ranked feeds have a first page, but no further pages");
        this.lifetimeMillis = settings.reading().rankSnapshotAge().toMillis();
    }

    /**
     * Saves an order.
     *
     * @return the name; empty if the order may not have been saved
     */
    OptionalLong save(String reader, List<Post> posts, Set<Caveat> caveats) {
        long name = ThreadLocalRandom.current().nextLong();
        byte[] bytes = SavedOrder.bytes(posts, caveats);
        Boolean saved = breaker.ask(() -> breaker.watch(() -> save(reader, name, bytes)));
        return saved == null ? OptionalLong.empty() : OptionalLong.of(name);
    }

    private boolean save(String reader, long name, byte[] bytes) {
        try {
            snapshots.save(reader, text(name), bytes, lifetimeMillis);
            return true;
        } catch (OutcomeUnknownException e) {
            // An order whose name no cursor has expires unread, so this is as good as a failure.
            throw new StoreUnavailableException(e.operation(), e);
        }
    }

    /**
     * Finds an order.
     *
     * @throws SnapshotExpiredException if there is none that can be read
     * @throws StoreUnavailableException if the store is down, and the order may still be there
     */
    SavedOrder load(String reader, RankCursor cursor) {
        RankPlace place = RankPlace.parse(cursor.toString());
        Optional<byte[]> found = breaker.ask(() -> breaker.watch(() -> snapshots.load(reader, text(place.snapshot()))));
        if (found == null) {
            throw new StoreUnavailableException(
                    "rankSnapshots.load", breaker.lastFailure().orElse(null));
        }
        return found.flatMap(bytes -> SavedOrder.open(bytes, place.place()))
                .orElseThrow(() -> new SnapshotExpiredException(cursor));
    }

    private static String text(long name) {
        return HexFormat.of().toHexDigits(name);
    }
}
