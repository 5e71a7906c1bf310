package io.feedkit.internal.inbox;

import io.feedkit.FeedKitException;
import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inboxes of an engine. They are used only while they are known to belong to the engine's source of truth. They are
 * claimed when the engine starts. If they cannot be reached then, the next call claims them first. Before each check
 * for losses they are claimed again, because the store may have lost the record of its owner. If they belong to another
 * source of truth by then, they count as out of reach until an operator has fixed that. Thread-safe.
 */
public final class ClaimedInbox implements Inbox {

    private static final Logger log = LoggerFactory.getLogger(ClaimedInbox.class);

    private final Inbox inbox;
    private final String identity;
    private final String engine;
    private final WarningLimiter warnings;
    private volatile boolean claimed;

    private ClaimedInbox(Inbox inbox, String identity, EngineSettings settings) {
        this.inbox = inbox;
        this.identity = identity;
        this.engine = settings.name();
        this.warnings = new WarningLimiter(settings.clock());
    }

    /**
     * Claims inboxes for an engine that starts.
     *
     * @throws ForeignStoreException if they belong to another source of truth
     */
    public static ClaimedInbox of(Inbox inbox, String identity, EngineSettings settings) {
        ClaimedInbox claimed = new ClaimedInbox(inbox, identity, settings);
        try {
            inbox.claim(identity);
            claimed.claimed = true;
        } catch (FeedKitException e) {
            if (!e.isRetryable()) {
                throw e;
            }
            log.info("{}: cannot claim the inboxes yet; the first use claims them: {}", claimed.engine, e.getMessage());
        }
        return claimed;
    }

    private void claimFor(String operation) {
        try {
            inbox.claim(identity);
            claimed = true;
        } catch (ForeignStoreException e) {
            claimed = false;
            log.atLevel(warnings.level())
                    .log(
                            "{}: not using the inboxes: {}; repetitions of the next minutes are logged at DEBUG",
                            engine,
                            e.getMessage());
            throw new StoreUnavailableException(operation, e);
        }
    }

    private Inbox claimed(String operation) {
        if (!claimed) {
            claimFor(operation);
        }
        return inbox;
    }

    @Override
    public void claim(String identity) {
        inbox.claim(identity);
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return claimed("inbox.deliver").deliver(deliveries);
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        return claimed("inbox.slice").slice(queries);
    }

    /** A claim would have to be waited for. */
    @Override
    public boolean sendsQuestions() {
        return claimed && inbox.sendsQuestions();
    }

    @Override
    public Supplier<List<Slice>> sendSlice(List<SliceQuery> queries) {
        return claimed("inbox.slice").sendSlice(queries);
    }

    @Override
    public List<Count> count(List<CountQuery> queries) {
        return claimed("inbox.count").count(queries);
    }

    @Override
    public Supplier<List<Count>> sendCount(List<CountQuery> queries) {
        return claimed("inbox.count").sendCount(queries);
    }

    @Override
    public List<Window> windows(List<String> readers) {
        return claimed("inbox.windows").windows(readers);
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        return claimed("inbox.open").open(reader, leaseMillis, replace);
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return claimed("inbox.merge").merge(reader, generation, posts, floor);
    }

    @Override
    public List<Boolean> merge(List<Merge> merges) {
        return claimed("inbox.merge").merge(merges);
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        return claimed("inbox.complete").complete(reader, generation, mark, followees);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        claimed("inbox.retract").retract(retractions);
    }

    @Override
    public void remove(List<Removal> removals) {
        claimed("inbox.remove").remove(removals);
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        return claimed("inbox.purge").purge(reader, authors, token);
    }

    @Override
    public List<Boolean> purge(List<PendingChange> changes) {
        return claimed("inbox.purge").purge(changes);
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        return claimed("inbox.beginFollow").beginFollow(reader, authors);
    }

    @Override
    public List<Long> beginFollow(List<String> readers, Collection<String> authors) {
        return claimed("inbox.beginFollow").beginFollow(readers, authors);
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return claimed("inbox.endFollow").endFollow(reader, authors, token, toggled);
    }

    @Override
    public List<Set<String>> endFollow(List<PendingChange> changes) {
        return claimed("inbox.endFollow").endFollow(changes);
    }

    @Override
    public void drop(List<String> readers) {
        claimed("inbox.drop").drop(readers);
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        claimed("inbox.forEachReader").forEachReader(visitor);
    }

    @Override
    public long deliveriesSafeSince() {
        claimFor("inbox.deliveriesSafeSince");
        return inbox.deliveriesSafeSince();
    }
}
