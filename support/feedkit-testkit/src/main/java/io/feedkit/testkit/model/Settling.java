package io.feedkit.testkit.model;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.oracle.OracleFeed;
import java.time.Duration;
import java.util.Set;

/**
 * Lets the run settle: failures end, leases and delays expire, and all tasks are done. Then all feeds must equal the
 * oracle's.
 */
final class Settling {

    private static final int MOST_ROUNDS = 200;

    private final Cluster cluster;
    private final ExpectedPosts expected;
    private final OracleFeed oracle;
    private final FeedStore store;
    private final SettableClock clock;
    private final ModelSettings settings;
    private final FeedCheck feeds;
    private final InboxCheck inboxes;

    Settling(
            Cluster cluster,
            ExpectedPosts expected,
            OracleFeed oracle,
            Host host,
            FeedStore store,
            SettableClock clock,
            ModelSettings settings) {
        this.cluster = cluster;
        this.expected = expected;
        this.oracle = oracle;
        this.store = store;
        this.clock = clock;
        this.settings = settings;
        this.feeds = new FeedCheck(oracle, host, settings);
        this.inboxes = new InboxCheck(oracle, store, settings);
    }

    void settle() {
        cluster.heal();
        int rounds = 0;
        do {
            if (++rounds > MOST_ROUNDS) {
                throw new AssertionError("the backlog is not empty after all drains: "
                        + store.outbox().fanout().queueStatus());
            }
            expected.sync();
            clock.advance(ModelSettings.LEASE.multipliedBy(2));
            for (int i = 0; i < Cluster.ENGINES; i++) {
                cluster.engine(i).fanout().drain();
            }
        } while (store.outbox().fanout().queueStatus().unfinished() > 0);
        expected.allDelivered();
        expected.sync();
        for (int i = 0; i < Cluster.ENGINES; i++) {
            clock.advance(Duration.ofMillis(expected.staleness(i)));
        }
        Set<String> unreported = expected.unreported();
        if (!unreported.isEmpty()) {
            for (int i = 0; i < Cluster.ENGINES; i++) {
                pass(i, ModelSettings.FOLLOWEE_AGE);
            }
            expected.graphRead();
        }
        heal(expected.damaged());
        expected.sync();
        for (String reader : Users.ALL) {
            // An inbox gets unreported changes of the graph when its reader reads.
            if (!unreported.contains(reader)) {
                inboxes.check(reader);
            }
        }
        for (int i = 0; i < Cluster.ENGINES; i++) {
            for (String reader : Users.ALL) {
                feeds.check(cluster.engine(i), reader);
            }
        }
        for (String reader : Users.ALL) {
            inboxes.check(reader);
        }
        for (Post post : oracle.posts()) {
            if (!expected.isSettled(post)) {
                throw new AssertionError("no task is left, but " + post + " is not settled: the mark is "
                        + store.outbox().settledMark());
            }
        }
    }

    /** Lets enough time pass that data older than this by the store's clock is also older by an engine's clock. */
    private void pass(int engine, Duration time) {
        EngineClock engines = cluster.clock(engine);
        clock.advance(Duration.ofMillis(engines.oldest(time.toMillis()) + engines.behind()));
    }

    /**
     * Inboxes are repaired at the first page after the reconcile interval. Inboxes that expire sooner are refreshed.
     */
    private void heal(Set<String> damaged) {
        boolean reconciled = settings.reconcileInterval().compareTo(settings.liveWindow()) < 0;
        if (reconciled && !damaged.isEmpty()) {
            pass(0, settings.reconcileInterval().plus(ModelSettings.LEASE));
        }
        for (String reader : damaged) {
            FeedEngine engine = cluster.engine(0);
            if (reconciled) {
                engine.read(reader, PageRequest.first(1));
            } else {
                engine.refresh(reader);
            }
            expected.heal(reader);
        }
    }
}
