package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.PostKey;
import io.feedkit.survival.Kills;
import io.feedkit.survival.Kills.Outcome;
import io.feedkit.survival.tiers.TierPoint.Role;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.verify.FindingKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * One kill of a process that moves posts or runs {@code verify}. Meanwhile another engine moves posts, too, and
 * {@link Rivals} race with both.
 */
final class TierRun {

    /**
     * What a healthy system may have: the entry of a push that overlaps an unfollow, and in inboxes that reach down to
     * archived posts the old places of those that were published anew.
     */
    private static final Set<FindingKind> HIDDEN_BY_PAGES = EnumSet.of(
            FindingKind.POST_NOT_FOLLOWED,
            FindingKind.POST_DELETED,
            FindingKind.POST_MISPLACED,
            FindingKind.POST_TWICE);

    private static final int READERS = 12;

    /** Nobody makes these readers follow or unfollow. */
    private static final int STILL = 6;

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration REACHED_WITHIN = Duration.ofSeconds(3);
    private static final int TRIES = 6;
    private static final int BEFORE_KILL_MILLIS = 600;
    private static final int HEAD_START_MILLIS = 300;

    private final TierNodes tiers;
    private final RedisServer redis;
    private final TierPoint point;
    private final Random random;
    private final TierTruth truth = new TierTruth();

    TierRun(PostgresServer database, RedisServer redis, TierPoint point, long seed, String run) {
        this.tiers = TierNodes.of(
                database.createDatabase(),
                database.createDatabase(),
                redis.uri(),
                run,
                point.role() == Role.MOVER && seed % 2 == 1 ? TierNodes.SMALL_CAP : TierNodes.LARGE_CAP);
        this.redis = redis;
        this.point = point;
        this.random = new Random(seed);
    }

    Outcome run() throws Exception {
        tiers.createTables();
        try (Node one = tiers.mover("one").open();
                Node two = tiers.mover("two").open()) {
            List<Node> nodes = List.of(one, two);
            Members members = truth.join(READERS, one);
            Damage damage = new Damage(tiers, redis, one, truth);
            List<String> still = members.readers().subList(0, STILL);
            if (point.role() == Role.VERIFY) {
                damage.leaveUnregistered(still);
            }
            boolean reached;
            long killed;
            try (Rivals rivals = Rivals.start(
                            members, members.readers().subList(STILL, READERS), truth, nodes, tiers, random);
                    ChildProcess victim = start()) {
                Rounds.moment(random, HEAD_START_MILLIS);
                if (point.role() == Role.MOVER) {
                    reached = killMover(victim, members, nodes);
                } else {
                    reached = kill(victim, () -> damage.make(still));
                }
                killed = System.nanoTime();
                Rounds.moment(random, BEFORE_KILL_MILLIS);
                rivals.finish();
                repeatDeletes(victim, one);
            }
            return new Outcome(reached, truth.all().size(), checked(nodes, members, killed));
        }
    }

    private ChildProcess start() {
        List<String> arguments = new ArrayList<>(tiers.arguments(redis.uri()));
        arguments.addAll(List.of(point.name(), Integer.toString(1 + random.nextInt(point.latestTime()))));
        ChildProcess victim = ChildProcess.start(TierVictim.class, arguments, Kills.QUICK_START);
        victim.awaitLine("ready", LIMIT);
        return victim;
    }

    /** Pages are watched: a move must not show. */
    private boolean killMover(ChildProcess victim, Members members, List<Node> nodes)
            throws InterruptedException, ExecutionException {
        try (FeedMonitor monitor = FeedMonitor.start(members, truth.posts(), nodes)) {
            boolean reached = kill(victim, () -> {});
            monitor.finish();
            assertThat(monitor.walks()).isPositive();
            return reached;
        }
    }

    /** @param before makes the process reach the point; repeated until it does */
    private boolean kill(ChildProcess victim, Runnable before) {
        victim.send("go");
        victim.awaitLine("open", LIMIT);
        boolean reached = false;
        for (int i = 0; i < TRIES && !reached; i++) {
            before.run();
            reached = isReached(victim);
        }
        Rounds.moment(random, BEFORE_KILL_MILLIS);
        victim.kill9();
        return reached;
    }

    private boolean isReached(ChildProcess victim) {
        try {
            victim.awaitLine("at " + point, REACHED_WITHIN);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** The killed process did not say whether its last delete was done. */
    private void repeatDeletes(ChildProcess victim, Node node) {
        for (String line : victim.output()) {
            if (line.startsWith("deletes ")) {
                String[] words = line.split(" ", -1);
                node.engine().delete(words[1], words[2]);
                truth.deleted(new PostKey(words[1], words[2]));
            }
        }
    }

    /** Moves and repairs what is left, and checks. Returns the time until that was done. */
    private Duration checked(List<Node> nodes, Members members, long killed) {
        TierCheck check = new TierCheck(tiers, members, truth);
        try (Node fresh = tiers.mover("fresh").open()) {
            TierCheck.awaitRest(fresh);
            fresh.engine().archivePosts();
            if (point.role() == Role.MOVER) {
                nodes.forEach(check::feeds);
            }
            Map<FindingKind, Long> found = TierCheck.verify(fresh);
            if (point.role() == Role.MOVER) {
                assertThat(found.keySet()).isSubsetOf(HIDDEN_BY_PAGES);
            }
            Duration resumed = Duration.ofNanos(System.nanoTime() - killed);
            List<Node> all = new ArrayList<>(nodes);
            all.add(fresh);
            check.pass(all);
            return resumed;
        }
    }
}
