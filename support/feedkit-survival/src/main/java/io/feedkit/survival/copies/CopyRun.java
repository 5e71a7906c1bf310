package io.feedkit.survival.copies;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.InboxCopies;
import io.feedkit.survival.Kills;
import io.feedkit.survival.Kills.Outcome;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * One kill of a process that copies inboxes, or fills inboxes from copies. Meanwhile {@link CopyRivals} change posts
 * and the follow graph, fill other inboxes, and copy.
 */
final class CopyRun {

    private static final int READERS = 12;
    private static final int MOST_TIMES = 4;
    private static final int HEAD_START_MILLIS = 300;
    private static final int AFTER_KILL_MILLIS = 800;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration REACHED_WITHIN = Duration.ofSeconds(10);
    private final PostgresServer database;
    private final RedisServer redis;
    private final CassandraServer server;
    private final InboxCopies copies;
    private final CopyPoint point;
    private final String run;
    private final Random random;
    private final CopyTruth truth = new CopyTruth();
    private int built;
    private int filled;

    /**
     * Prepares a kill.
     *
     * @param store a session with the server
     * @param run a name for the run, which no other run has
     */
    CopyRun(
            PostgresServer database,
            RedisServer redis,
            CassandraServer server,
            CopyStore store,
            CopyPoint point,
            long seed,
            String run) {
        this.database = database;
        this.redis = redis;
        this.server = server;
        this.copies = store.copies(run, CopyStore.PATIENT);
        this.point = point;
        this.run = run;
        this.random = new Random(seed);
    }

    Outcome run() throws Exception {
        String posts = database.createDatabase();
        CopyNodes copied = new CopyNodes(posts, redis.uri(), run, copies);
        copied.createTables();
        try (Node one = copied.node("one", UnaryOperator.identity()).open();
                Node two = copied.node("two", UnaryOperator.identity())
                        .policy(FanoutPolicy.pull())
                        .open()) {
            List<Node> nodes = List.of(one, two);
            Members members = truth.join(READERS, one);
            boolean reached;
            long killed;
            try (CopyRivals rivals = CopyRivals.start(members, truth, copied, nodes, random);
                    ChildProcess victim = start(posts)) {
                Rounds.moment(random, HEAD_START_MILLIS);
                reached = kill(victim);
                killed = System.nanoTime();
                Rounds.moment(random, AFTER_KILL_MILLIS);
                rivals.finish();
            }
            Duration resumed = new CopyCheck(copied, members, truth).pass(nodes, killed);
            built = copied.built();
            filled = copied.filled();
            return new Outcome(reached, truth.all().size(), resumed);
        }
    }

    private ChildProcess start(String posts) {
        List<String> arguments = List.of(
                posts,
                redis.uri(),
                run,
                Integer.toString(server.port()),
                point.name(),
                Integer.toString(1 + random.nextInt(MOST_TIMES)),
                Integer.toString(READERS));
        ChildProcess victim = ChildProcess.start(CopyVictim.class, arguments, Kills.QUICK_START);
        victim.awaitLine("ready", LIMIT);
        return victim;
    }

    private boolean kill(ChildProcess victim) {
        victim.send("go");
        boolean reached = isReached(victim);
        Rounds.moment(random, AFTER_KILL_MILLIS);
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

    /** How many inboxes the surviving engines have built. */
    int built() {
        return built;
    }

    /** How many of them were filled from copies. */
    int filled() {
        return filled;
    }
}
