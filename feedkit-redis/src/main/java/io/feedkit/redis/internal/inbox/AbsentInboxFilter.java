package io.feedkit.redis.internal.inbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.spi.Inbox.Outcome;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Leaves readers out of a large delivery who have no inbox. Where few of the last readers had one, it first counts the
 * inboxes of the next readers, 25 of them with one {@code EXISTS}. The script then gets only readers near an inbox.
 *
 * <p>Where one reader in 500 has an inbox, this makes 1,550,000 followers a second of 1,000,000, and where one in 50
 * has, 1,060,000 of 900,000 ({@code docs/reference/bench/redis.md}, "What limits it"). Thread-safe.
 */
final class AbsentInboxFilter {

    /** Deliveries to fewer readers are not worth a count, and teach nothing. */
    private static final int FEWEST_READERS = 100;

    /** How many readers one command counts. */
    private static final int COUNTED_TOGETHER = 25;

    /** Counting pays while fewer than one reader in this many has an inbox. */
    private static final int FEW = 30;

    private final Link link;
    private final InboxKeys keys;
    private volatile boolean pays;

    AbsentInboxFilter(Link link, InboxKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    /** Whether to count the inboxes of this many readers. */
    boolean paysFor(int readers) {
        return pays && readers >= FEWEST_READERS;
    }

    /**
     * Says of each reader whether the reader, or one of up to 24 others, may have an inbox. The next delivery counts as
     * well if this spares at least half of the readers.
     */
    List<Boolean> mayHaveInbox(List<String> readers) {
        PartitionBatcher<String> split = PartitionBatcher.of(readers, link.apart(Keys::bucket), COUNTED_TOGETHER);
        List<Optional<Long>> counts = link.runReachable(
                "inbox.deliver",
                Effect.READ,
                split.each(batch -> Call.ofKeys(CommandType.EXISTS, IntegerOutput::new, keys.inboxes(batch.items()))));
        List<Boolean> likely = split.inPlace(counts.stream()
                .map(count -> Collections.nCopies(COUNTED_TOGETHER, count.isEmpty() || count.get() > 0))
                .toList());
        pays = Collections.frequency(likely, true) < readers.size() / 2;
        return likely;
    }

    /**
     * Learns from a delivery without a count. It must be one to all readers: in a delivery to active readers alone,
     * those who were not seen lately look as if they had no inbox.
     */
    void learn(List<Outcome> outcomes) {
        if (outcomes.size() >= FEWEST_READERS && !outcomes.contains(Outcome.UNREACHABLE)) {
            int live = outcomes.size() - Collections.frequency(outcomes, Outcome.NOT_LIVE);
            pays = live < outcomes.size() / FEW;
        }
    }
}
