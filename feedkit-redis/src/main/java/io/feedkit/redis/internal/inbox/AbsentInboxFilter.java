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
 * Leaves readers without an inbox out of large deliveries. If few of the last readers had an inbox, it first counts the
 * inboxes of the next readers, 25 of them with one {@code EXISTS}. The script then gets only the readers of those
 * groups of 25 that have an inbox.
 *
 * <p>If one reader in 500 has an inbox, this raises 1,000,000 followers a second to 1,550,000. If one in 50 has, it
 * raises 900,000 to 1,060,000 ({@code docs/reference/bench/redis.md}, "A follower without an inbox"). Thread-safe.
 */
final class AbsentInboxFilter {

    /** Deliveries to fewer readers are not worth a count, and their outcomes are not representative. */
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
     * Returns for each reader whether the reader, or one of up to 24 others, may have an inbox. The next delivery also
     * counts if this excludes more than half of the readers.
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
     * Decides by a delivery without a count whether the next one counts. It must be a delivery to all readers: in a
     * delivery to active readers only, inactive readers look as if they had no inbox.
     */
    void learn(List<Outcome> outcomes) {
        if (outcomes.size() >= FEWEST_READERS && !outcomes.contains(Outcome.UNREACHABLE)) {
            int live = outcomes.size() - Collections.frequency(outcomes, Outcome.NOT_LIVE);
            pays = live < outcomes.size() / FEW;
        }
    }
}
