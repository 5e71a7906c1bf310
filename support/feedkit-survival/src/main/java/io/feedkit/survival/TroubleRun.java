package io.feedkit.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One trouble, with a relay and workers as nodes of this process. */
final class TroubleRun {

    private static final List<String> QUICK_START =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m");

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration LONG_LOAN = Duration.ofSeconds(20);
    private static final int POSTS = 40;
    private static final int MANY = 2000;
    private static final int ROUNDS = 6;
    private static final int PERMILLE = 1000;

    private final PostgresServer database;
    private final String url;
    private final Broker broker;
    private final Trouble trouble;
    private final String run;
    private final Random random;
    private final int lent;
    private final int gone;
    private final Truth truth = new Truth();

    /**
     * @param lent how many tasks are lent when the queue is purged
     * @param gone for how many milliseconds the database is gone, or nothing passes
     */
    TroubleRun(PostgresServer database, Broker broker, Trouble trouble, long seed, String run, int lent, int gone) {
        this.database = database;
        this.url = database.createDatabase();
        this.broker = broker;
        this.trouble = trouble;
        this.run = run;
        this.random = new Random(seed);
        this.lent = lent;
        this.gone = gone;
    }

    /** Returns how long after the end of the trouble all tasks were done. */
    Duration run() throws Exception {
        Nodes.createTables(url);
        FaultyProxy proxy = broker.proxy();
        try (FanoutQueue queue = Broker.queue(broker.address(), run, loan());
                Node publisher = Nodes.publisher(url).open()) {
            Members members = Members.join(Nodes.READERS, publisher);
            Posting posting = new Posting(publisher, members, truth, random);
            try (Node relay = relay(queue).open();
                    Node worker = Nodes.worker(url, queue).open()) {
                posting.publish(POSTS);
                long over = meet(proxy, queue, posting, relay, worker);
                posting.publish(POSTS);
                await().atMost(LIMIT)
                        .ignoreExceptionsInstanceOf(FeedKitException.class)
                        .until(() -> due(publisher.engine()) == 0);
                Duration resumed = Duration.ofNanos(System.nanoTime() - over);
                FinalCheck.pass(publisher, members, truth);
                FinalCheck.inboxesLackNothing(publisher, members);
                assertThat(worker.engine().fanout().backlog().queue().taken())
                        .as("tasks taken from the queue")
                        .isPositive();
                return resumed;
            }
        }
    }

    private Node.Setup relay(FanoutQueue queue) {
        int window = Math.max(MANY, lent);
        Node.Setup setup = Nodes.publisher(url).named("relay");
        return setup.settings(
                builder -> builder.fanoutQueue(queue).relay(true).loan(loan()).lendingWindow(window));
    }

    /** Long enough for thousands of tasks to be lent before the first loan runs out. */
    private Duration loan() {
        return trouble == Trouble.QUEUE_PURGED ? LONG_LOAN : Broker.LOAN;
    }

    private static long due(FeedEngine engine) {
        return engine.fanout().backlog().due();
    }

    /** Lets the trouble happen; returns when it was over. */
    private long meet(FaultyProxy proxy, FanoutQueue queue, Posting posting, Node relay, Node worker) throws Exception {
        switch (trouble) {
            case QUEUE_PURGED -> {
                worker.engine().fanout().pause();
                posting.publish(lent);
                await().atMost(LIMIT)
                        .until(() -> relay.engine().fanout().backlog().lent() >= lent);
                broker.purge(run);
                worker.engine().fanout().resume();
            }
            case BROKER_BLOCKED -> {
                broker.block();
                posting.publish(POSTS);
                awaitDone(relay);
                broker.unblock();
            }
            case NOTHING_REACHES_BROKER, NOTHING_COMES_FROM_BROKER -> {
                proxy.blackHole(trouble == Trouble.NOTHING_REACHES_BROKER ? Direction.REQUESTS : Direction.REPLIES);
                posting.publish(POSTS);
                awaitDone(relay);
                TimeUnit.MILLISECONDS.sleep(gone);
                proxy.pass();
            }
            case DATABASE_GONE -> {
                database.kill();
                TimeUnit.MILLISECONDS.sleep(gone);
                database.restart();
                awaitDone(relay);
            }
            case WORKERS_COME_AND_GO -> comeAndGo(queue, posting);
            case WORKER_STANDS_STILL -> standStill(posting, worker);
        }
        return System.nanoTime();
    }

    /** Without the broker, the workers claim from the store. */
    private static void awaitDone(Node node) {
        await().atMost(LIMIT).ignoreExceptionsInstanceOf(FeedKitException.class).until(() -> due(node.engine()) == 0);
    }

    private void comeAndGo(FanoutQueue queue, Posting posting) {
        List<Node> workers = new ArrayList<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                workers.add(Nodes.worker(url, queue).open());
                posting.publish(POSTS / 2);
                if (round % 2 == 1) {
                    workers.remove(0).close();
                }
            }
        } finally {
            workers.forEach(Node::close);
        }
    }

    private void standStill(Posting posting, Node worker) throws IOException, InterruptedException {
        worker.engine().fanout().pause();
        List<String> arguments =
                List.of(url, broker.address(), run, KillPoint.WORKER_AFTER_CHECKPOINT.name(), "1000000", "1");
        try (ChildProcess other = ChildProcess.start(VictimProcess.class, arguments, QUICK_START)) {
            other.awaitLine("ready", LIMIT);
            other.send("go");
            other.awaitLine("open", LIMIT);
            posting.publish(POSTS);
            signal(other, "STOP");
            worker.engine().fanout().resume();
            posting.publish(POSTS);
            TimeUnit.MILLISECONDS.sleep(2 * Node.LEASE.toMillis() + random.nextInt(PERMILLE));
            signal(other, "CONT");
            posting.publish(POSTS);
            awaitDone(worker);
        }
    }

    private static void signal(ChildProcess process, String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(code).as("exit code of kill -%s", name).isZero();
    }
}
