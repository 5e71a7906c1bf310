package io.feedkit.survival.tiers;

import static org.awaitility.Awaitility.await;

import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.verify.FindingKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Redis with the inboxes fails over to its replica while posts move, and clients publish, delete and follow. */
final class FailoverRun {

    /**
     * What happened.
     *
     * @param posts how many posts there are in the end
     * @param repeated how many calls of clients failed, and were repeated
     * @param healed how many lost deliveries the engines found and repeated
     * @param found what {@code verify} found when all feeds were right
     */
    record Outcome(int posts, int repeated, int healed, Map<FindingKind, Long> found) {}

    private static final int READERS = 12;
    private static final int FAILOVERS = 2;
    private static final int LOAD_MILLIS = 2000;
    private static final int BEHIND_MILLIS = 400;

    private static final Duration PROMOTED = Duration.ofMinutes(1);

    /** An engine notices a failover of inboxes within this time. */
    private static final Duration NOTICED = Duration.ofSeconds(11);

    private final RedisSentinels sentinels;
    private final TierNodes tiers;
    private final Random random;

    FailoverRun(PostgresServer database, RedisSentinels sentinels, long seed) {
        this.sentinels = sentinels;
        this.random = new Random(seed);
        this.tiers = new TierNodes(
                database.createDatabase(),
                database.createDatabase(),
                () -> RedisServers.at(sentinels.uri()),
                "failover-" + seed,
                seed % 2 == 1 ? TierNodes.SMALL_CAP : TierNodes.LARGE_CAP,
                Optional.empty());
    }

    Outcome run() throws Exception {
        tiers.createTables();
        TierTruth truth = new TierTruth();
        try (Node one = tiers.mover("one").open();
                Node two = tiers.mover("two").open()) {
            List<Node> nodes = List.of(one, two);
            Members members = truth.join(READERS, one);
            int repeated;
            try (Rivals rivals = Rivals.start(members, members.readers(), truth, nodes, tiers, random);
                    FeedMonitor monitor = FeedMonitor.start(members, truth.posts(), nodes)) {
                for (int i = 0; i < FAILOVERS; i++) {
                    Rounds.moment(random, LOAD_MILLIS);
                    failOver();
                    TimeUnit.MILLISECONDS.sleep(LOAD_MILLIS);
                }
                rivals.finish();
                monitor.finish();
                repeated = rivals.repeated();
            }
            TimeUnit.NANOSECONDS.sleep(NOTICED.toNanos());
            TierCheck.awaitRest(one);
            TierCheck check = new TierCheck(tiers, members, truth);
            check.feeds(one);
            TierCheck.awaitRest(one);
            check.feeds(two);
            one.engine().archivePosts();
            Map<FindingKind, Long> found = TierCheck.verify(one);
            check.pass(nodes);
            return new Outcome(truth.all().size(), repeated, one.healed() + two.healed(), found);
        }
    }

    /** The replica lacks the last deliveries when its master is killed. */
    private void failOver() throws InterruptedException {
        RedisServer master = sentinels.master();
        RedisServer replica = sentinels.replica();
        replica.freeze();
        TimeUnit.MILLISECONDS.sleep(BEHIND_MILLIS);
        master.kill();
        replica.thaw();
        await().atMost(PROMOTED).ignoreExceptions().until(() -> sentinels.master() == replica);
        master.restart();
        sentinels.awaitHealthy();
    }
}
