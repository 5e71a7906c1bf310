package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import java.time.Duration;
import java.util.Random;

/** The settings of both engines of a run. All bounds are small, so that a few steps reach them. */
record ModelSettings(
        boolean ownPosts,
        int cap,
        Duration liveWindow,
        Duration staleness,
        int maxScannedPerPage,
        int unreadCap,
        Duration reconcileInterval,
        int concurrentRebuilds,
        int followeeCache,
        int batchSize,
        int maxAttempts,
        Duration retryDelay,
        Duration replayHorizon,
        long splitThreshold,
        int activePushRate,
        boolean hostGraph) {

    /** How long engines hold tasks and inboxes that they build. */
    static final Duration LEASE = Duration.ofSeconds(10);

    /** How long engines rely on cached followees. */
    static final Duration FOLLOWEE_AGE = Duration.ofMinutes(2);

    /** How recently a reader must have read to count as active. */
    static final Duration ACTIVE_WINDOW = Duration.ofMinutes(1);

    /** The settings of the scenarios in which calls fail in turn. */
    static final ModelSettings PLAIN = new ModelSettings(
            false,
            10,
            Duration.ofDays(30),
            Duration.ZERO,
            1000,
            1000,
            Duration.ofDays(365),
            16,
            1000,
            2,
            3,
            Duration.ofSeconds(1),
            Duration.ofMinutes(15),
            100_000,
            10_000,
            false);

    static ModelSettings random(Random random) {
        return new ModelSettings(
                random.nextInt(3) == 0,
                pick(random, 10, 10, 16, 40, 300),
                pick(random, Duration.ofSeconds(30), Duration.ofDays(30), Duration.ofDays(30)),
                pick(random, Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(25)),
                pick(random, 1, 3, 1000),
                pick(random, 3, 1000),
                pick(random, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofDays(365)),
                pick(random, 0, 1, 16, 16, 16),
                pick(random, 0, 4, 1000),
                pick(random, 1, 2, 3, 100),
                pick(random, 1, 2, 5),
                pick(random, Duration.ZERO, Duration.ofSeconds(1)),
                pick(random, Duration.ZERO, Duration.ofMinutes(15)),
                pick(random, 1, 2, 100_000),
                pick(random, 1, 10_000),
                random.nextInt(4) == 0);
    }

    ModelSettings withOwnPosts() {
        return new ModelSettings(
                true,
                cap,
                liveWindow,
                staleness,
                maxScannedPerPage,
                unreadCap,
                reconcileInterval,
                concurrentRebuilds,
                followeeCache,
                batchSize,
                maxAttempts,
                retryDelay,
                replayHorizon,
                splitThreshold,
                activePushRate,
                hostGraph);
    }

    ModelSettings withSplitThreshold(long followers) {
        return new ModelSettings(
                ownPosts,
                cap,
                liveWindow,
                staleness,
                maxScannedPerPage,
                unreadCap,
                reconcileInterval,
                concurrentRebuilds,
                followeeCache,
                batchSize,
                maxAttempts,
                retryDelay,
                replayHorizon,
                followers,
                activePushRate,
                hostGraph);
    }

    ModelSettings withLiveWindow(Duration window) {
        return new ModelSettings(
                ownPosts,
                cap,
                window,
                staleness,
                maxScannedPerPage,
                unreadCap,
                reconcileInterval,
                concurrentRebuilds,
                followeeCache,
                batchSize,
                maxAttempts,
                retryDelay,
                replayHorizon,
                splitThreshold,
                activePushRate,
                hostGraph);
    }

    /** These settings, with a follow graph of the host's own. */
    ModelSettings withHostGraph() {
        return new ModelSettings(
                ownPosts,
                cap,
                liveWindow,
                staleness,
                maxScannedPerPage,
                unreadCap,
                reconcileInterval,
                concurrentRebuilds,
                followeeCache,
                batchSize,
                maxAttempts,
                retryDelay,
                replayHorizon,
                splitThreshold,
                activePushRate,
                true);
    }

    FeedEngineBuilder apply(FeedEngineBuilder builder) {
        return builder.ownPosts(ownPosts)
                .cap(cap)
                .liveWindow(liveWindow)
                .reading(reading -> reading.staleness(staleness).maxScannedPerPage(maxScannedPerPage))
                .unreadCap(unreadCap)
                .reading(reading -> reading.reconcileInterval(reconcileInterval)
                        .concurrentRebuilds(concurrentRebuilds)
                        .followeeCache(followeeCache)
                        .followeeAge(FOLLOWEE_AGE))
                .fanout(fanout -> fanout.batchSize(batchSize)
                        .maxAttempts(maxAttempts)
                        .retryDelay(retryDelay)
                        .replayHorizon(replayHorizon)
                        .splitThreshold(splitThreshold)
                        .activePushRate(activePushRate)
                        .activeWindow(ACTIVE_WINDOW)
                        .lease(LEASE));
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }
}
