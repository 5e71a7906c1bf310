package io.feedkit.internal.unread;

import io.feedkit.internal.cache.BoundedCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the inboxes that hold only posts of followed authors, as far as this engine has seen, and that will receive
 * no others. Only these inboxes are counted without reading their entries.
 *
 * <p>An unfollow purges the inbox, but a push that loaded the followers before may still be under way. So an inbox is
 * known only if it was read after such pushes had ended. They have ended if the fan-out log was empty once since this
 * engine first saw the inbox's follow epoch. They also count as ended a lease after that, for the same reason that a
 * deleted post is hidden for a lease. Other sources of posts (a rebuild, a refresh, a follow) set a new epoch or
 * generation, under which no inbox is known. The number of inboxes is bounded. Thread-safe.
 */
final class KnownInboxes {

    static final int MOST = 100_000;

    /**
     * The pause before the log is read again, as a multiple of the time of the last read. So reading takes at most a
     * twentieth of the time.
     */
    private static final int PAUSE = 20;

    /**
     * The knowledge of an inbox under one generation and epoch. {@code from} is the position down to which the inbox
     * was read. {@code order} is the number of the first observation, in the order of observations and checks of the
     * log.
     */
    private record Observed(
            long generation,
            long epoch,
            long at,
            long order,
            @Nullable Position from,
            long followees) {

        boolean isOf(Slice inbox) {
            return generation == inbox.generation() && epoch == inbox.epoch();
        }
    }

    /**
     * What is known of an inbox above a mark.
     *
     * @param mark the hash of the mark; another mark with the same hash causes a question too many
     * @param isEmpty whether the inbox had no entries there; stays false once it had some
     */
    private record Above(int mark, boolean isEmpty) {}

    private final FanoutLog log;
    private final EngineSettings settings;
    private final AtomicLong order = new AtomicLong();
    private volatile long emptyAt;
    private volatile long notBefore = System.nanoTime();
    private final BoundedCache<String, Observed> observed = new BoundedCache<>(MOST);
    private final BoundedCache<String, Above> aboveMarks = new BoundedCache<>(MOST);

    KnownInboxes(FanoutLog log, EngineSettings settings) {
        this.log = log;
        this.settings = settings;
    }

    /** Whether a live inbox is known to hold only posts of these followees, from a position upwards. */
    boolean isKnown(String reader, Slice inbox, FolloweeSet followees, Position from) {
        Observed known = observe(reader, inbox);
        return known.from() != null
                && known.followees() == followees.checksum()
                && known.from().compareTo(from) <= 0;
    }

    /**
     * Whether no push of an earlier follow epoch can still change the inbox. Reads the state of the log if necessary.
     */
    boolean isSettled(String reader, Slice inbox) {
        Observed first = observe(reader, inbox);
        long waited = settings.clock().millis() - first.at();
        if (waited >= settings.fanout().tasks().lease().toMillis() || emptyAt > first.order()) {
            return true;
        }
        checkLog();
        return emptyAt > first.order();
    }

    /** Records that a settled inbox was read down to a position, and held only posts of these followees. */
    synchronized void wasRead(String reader, Slice inbox, FolloweeSet followees, Position from) {
        Observed first = observed.get(reader);
        if (first != null && first.isOf(inbox)) {
            observed.put(
                    reader,
                    new Observed(
                            first.generation(), first.epoch(), first.at(), first.order(), from, followees.checksum()));
        }
    }

    /**
     * Whether a reader's inbox will probably have no entries above a mark. Then it is asked only for their number, not
     * for their number apart from those of some authors.
     */
    boolean isEmptyAbove(String reader, SeenPosts mark) {
        Above known = aboveMarks.get(reader);
        return known != null && known.isEmpty() && known.mark() == mark.hashCode();
    }

    /** Records whether an inbox had entries above a mark, apart from those of some authors. */
    void wasCounted(String reader, SeenPosts mark, boolean isEmpty) {
        Above known = aboveMarks.get(reader);
        if (known == null || known.mark() != mark.hashCode() || (known.isEmpty() && !isEmpty)) {
            aboveMarks.put(reader, new Above(mark.hashCode(), isEmpty));
        }
    }

    /** Forgets a reader. */
    synchronized void forget(String reader) {
        observed.remove(reader);
        aboveMarks.remove(reader);
    }

    private synchronized Observed observe(String reader, Slice inbox) {
        Observed known = observed.get(reader);
        if (known == null || !known.isOf(inbox) || known.at() > settings.clock().millis()) {
            known = new Observed(
                    inbox.generation(), inbox.epoch(), settings.clock().millis(), order.incrementAndGet(), null, 0);
            observed.put(reader, known);
        }
        return known;
    }

    private void checkLog() {
        long start = System.nanoTime();
        if (start - notBefore < 0) {
            return;
        }
        long asked = order.incrementAndGet();
        boolean empty = log.queueStatus().unfinished() == 0;
        long end = System.nanoTime();
        notBefore = end + PAUSE * (end - start);
        if (empty) {
            emptyAt = Math.max(emptyAt, asked);
        }
    }
}
