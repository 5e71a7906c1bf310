package io.feedkit.survival.copies;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** One fault of the store of copies, while {@link CopyRivals} change posts and the follow graph, copy and fill. */
final class CopyFaultRun {

    private static final int READERS = 12;
    private static final Duration ANSWER = Duration.ofMillis(500);
    private static final Duration TOO_LATE = Duration.ofMillis(800);
    private static final Duration SOUND = Duration.ofSeconds(3);

    /**
     * The outcome.
     *
     * @param posts how many posts there are at the end
     * @param before how many inboxes were filled from copies before the fault
     * @param filled how many inboxes were filled from copies in all
     * @param built how many inboxes were built
     */
    record Outcome(int posts, int before, int filled, int built) {}

    private final PostgresServer database;
    private final RedisServer redis;
    private final CopyFault fault;
    private final Duration lasting;
    private final Random random;
    private final String run;

    /** @param lasting how long the server is down or slow */
    CopyFaultRun(PostgresServer database, RedisServer redis, CopyFault fault, Duration lasting, long seed) {
        this.database = database;
        this.redis = redis;
        this.fault = fault;
        this.lasting = lasting;
        this.random = new Random(seed);
        this.run = fault + "-" + seed;
    }

    Outcome run() throws InterruptedException, ExecutionException {
        CassandraServer.Options options = CassandraServer.options().durability(Durability.DURABLE);
        try (CassandraServer server = options.start();
                FaultyProxy proxy = FaultyProxy.before(server.port());
                CopyStore store =
                        CopyStore.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()))) {
            CopyTruth truth = new CopyTruth();
            CopyNodes copied = new CopyNodes(database.createDatabase(), redis.uri(), run, store.copies(run, ANSWER));
            copied.createTables();
            try (Node one = copied.node("one", UnaryOperator.identity()).open();
                    Node two = copied.node("two", UnaryOperator.identity())
                            .policy(FanoutPolicy.pull())
                            .open()) {
                List<Node> nodes = List.of(one, two);
                Members members = truth.join(READERS, one);
                int before;
                try (CopyRivals rivals = CopyRivals.start(members, truth, copied, nodes, random)) {
                    pass(SOUND);
                    before = copied.filled();
                    make(server, proxy, store);
                    pass(SOUND);
                    rivals.finish();
                }
                new CopyCheck(copied, members, truth).pass(nodes, System.nanoTime());
                return new Outcome(truth.all().size(), before, copied.filled(), copied.built());
            }
        }
    }

    private void make(CassandraServer server, FaultyProxy proxy, CopyStore store) {
        switch (fault) {
            case DOWN -> {
                server.kill();
                pass(lasting);
                server.restart();
            }
            case SLOW -> {
                proxy.delay(TOO_LATE);
                pass(lasting);
                proxy.pass();
            }
            case WIPED -> store.wipe();
            case RESTORED -> {
                server.kill();
                server.keepData();
                server.restart();
                pass(lasting);
                server.kill();
                server.returnToKeptData();
                server.restart();
            }
        }
    }

    /** Clients work meanwhile. */
    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
