package io.feedkit.internal.inbox;

import io.feedkit.event.InboxRebuilt;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.collect.NewestPosts;
import io.feedkit.internal.copies.EngineCopies;
import io.feedkit.internal.copies.ReaderCopy;
import io.feedkit.internal.copies.ReaderCopy.BuiltPosts;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.util.Optional;

/**
 * Builds an inbox from the outboxes, or from a copy that is caught up from the outboxes.
 *
 * <p>(1) The inbox is opened as building under a new generation, and accepts pushes from then on. (2) Only then the
 * newest posts of all followees are collected. A post that was appended before is found here, and a post that is
 * appended later is pushed into the building inbox. (3) The posts are merged and the tombstones checked, so that a
 * delete in between is not undone. (4) The inbox goes live. Steps 3 and 4 name the generation, so a builder that
 * another one has replaced changes nothing. Thread-safe.
 */
public final class BuildSteps {

    /** Whether there is a live inbox now, and the event to report when no thread waits for the builder any longer. */
    record Outcome(boolean live, Optional<InboxRebuilt> event) {
        static final Outcome NOT_BUILT = new Outcome(false, Optional.empty());
        static final Outcome LIVE_BEFORE = new Outcome(true, Optional.empty());
    }

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FolloweeCache followeeCache;
    private final CheckedInserts inserts;
    private final Optional<EngineCopies> copies;
    private final long leaseMillis;

    public BuildSteps(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FolloweeCache followeeCache,
            CheckedInserts inserts,
            Optional<EngineCopies> copies) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.followeeCache = followeeCache;
        this.inserts = inserts;
        this.copies = copies;
        this.leaseMillis = settings.fanout().tasks().lease().toMillis();
    }

    /** Builds an inbox, unless the reader follows nobody and there is none to replace. */
    Outcome build(String reader, boolean replace) {
        return replace || followeeCache.any(reader) ? openAndBuild(reader, replace) : Outcome.NOT_BUILT;
    }

    private Outcome openAndBuild(String reader, boolean replace) {
        long start = System.nanoTime();
        // Before the inbox is opened: a store of copies that is slow must not use up the lease.
        Optional<ReaderCopy> copy = replace ? Optional.empty() : copies.flatMap(each -> each.find(reader));
        Opening opening = inbox.open(reader, leaseMillis, replace);
        if (opening.status() != Opening.Status.OPENED) {
            return opening.status() == Opening.Status.LIVE ? Outcome.LIVE_BEFORE : Outcome.NOT_BUILT;
        }
        long generation = opening.generation();
        long mark = outbox.settledMark();
        FolloweeSet followees = followeeCache.load(reader);
        Optional<BuiltPosts> caughtUp = copy.flatMap(found -> found.caughtUp(followees, mark));
        BuiltPosts built = caughtUp.orElseGet(() -> collected(followees, mark));
        NewestPosts newest = built.newest();
        if (!inserts.mergeRead(reader, generation, newest.posts(), newest.floor(), built.since())
                || !inbox.complete(reader, generation, built.mark(), followees.checksum())) {
            return Outcome.NOT_BUILT;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        if (caughtUp.isPresent()) {
            copies.ifPresent(each -> each.used(reader, took));
        } else {
            // An inbox that was built from a copy is not copied: the copy stays what the outboxes had.
            copies.ifPresent(each -> each.offer(reader, newest.posts(), newest.floor(), mark, followees));
        }
        return new Outcome(
                true,
                Optional.of(InboxRebuilt.builder(reader)
                        .posts(newest.posts().size())
                        .fromCopy(caughtUp.isPresent())
                        .took(took)
                        .build()));
    }

    private BuiltPosts collected(FolloweeSet followees, long mark) {
        int cap = settings.inboxes().limits().cap();
        return new BuiltPosts(NewestPosts.collect(outbox, followees.authors(), Position.LOWEST, cap), mark, mark);
    }
}
