package io.feedkit.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** One trouble, with a relay and workers as nodes of this process. */
final class TroubleRun {

    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final Duration LONG_LOAN = Duration.ofMinutes(1);
    private static final Duration MARGIN = Duration.ofSeconds(3);
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
    private final AtomicBoolean hangsNext = new AtomicBoolean();
    private final Duration hangs;
    private final Optional<RedisServer> redis;
    private final Nodes nodes;

    /**
     * @param lent how many tasks are lent when the queue is purged
     * @param gone for how many milliseconds the database is down, or no data passes the proxy
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
        this.hangs = trouble == Trouble.ACKNOWLEDGEMENTS_OVERDUE
                ? broker.limitAcknowledgements().plus(MARGIN)
                : Duration.ZERO;
        this.redis =
                trouble == Trouble.INBOXES_GONE ? Optional.of(RedisServer.start(Durability.DURABLE)) : Optional.empty();
        this.nodes = new Nodes(
                url, redis.map(server -> RedisInboxes.create(RedisServers.at(RedisURI.create(server.uri())))));
    }

    /**
     * The times after the end of the trouble until the fan-out continued and ended.
     *
     * @param first until the next task was finished; zero if all were finished before
     * @param all until no task was left
     */
    record Recovery(Duration first, Duration all) {}

    Recovery run() throws Exception {
        try {
            return fanOut();
        } finally {
            nodes.inboxes().ifPresent(RedisInboxes::close);
            redis.ifPresent(RedisServer::close);
        }
    }

    private Recovery fanOut() throws Exception {
        Nodes.createTables(url);
        FaultyProxy proxy = broker.proxy();
        try (FanoutQueue queue = Broker.queue(broker.address(), run, loan());
                Node publisher = nodes.publisher().open()) {
            Members members = Members.join(Nodes.READERS, publisher);
            Posting posting = new Posting(publisher, members, truth, random);
            try (Node relay = relay(queue).open();
                    Node worker = nodes.worker(queue).through(this::hanging).open()) {
                posting.publish(POSTS);
                long over = makeTrouble(proxy, queue, posting, relay, worker);
                Duration first = awaitFinished(publisher, worker, over);
                awaitTaken(posting, worker);
                posting.publish(POSTS);
                await().atMost(LIMIT)
                        .ignoreExceptionsInstanceOf(FeedKitException.class)
                        .until(() -> due(publisher.engine()) == 0);
                Duration all = since(over);
                FinalCheck.pass(publisher, members, truth);
                FinalCheck.inboxesLackNothing(publisher, members);
                assertThat(taken(worker)).as("tasks taken from the queue").isPositive();
                return new Recovery(first, all);
            }
        }
    }

    private Node.Setup relay(FanoutQueue queue) {
        int window = Math.max(MANY, lent);
        Node.Setup setup = nodes.publisher().named("relay");
        return setup.settings(builder ->
                builder.fanoutQueue(QueuedFanout.over(queue).loan(loan()).lendingWindow(window)));
    }

    /** Long enough for thousands of tasks to be lent before the first loan runs out. */
    private Duration loan() {
        return trouble == Trouble.QUEUE_PURGED || trouble == Trouble.BROKER_WIPED ? LONG_LOAN : Broker.LOAN;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static Duration awaitFinished(Node publisher, Node worker, long over) {
        int before = worker.finishedTasks();
        await().pollInterval(Duration.ofMillis(5))
                .atMost(LIMIT)
                .until(() -> worker.finishedTasks() > before || due(publisher.engine()) == 0);
        return worker.finishedTasks() > before ? since(over) : Duration.ZERO;
    }

    private static long taken(Node worker) {
        return worker.engine().fanout().backlog().queue().taken();
    }

    /** Waits until tasks arrive through the queue again. */
    private static void awaitTaken(Posting posting, Node worker) {
        long before = taken(worker);
        await().atMost(LIMIT).until(() -> {
            posting.publish(1);
            return taken(worker) > before;
        });
    }

    /** Makes a worker hang once in a delivery. */
    private FeedStore hanging(FeedStore store) {
        FaultyFeedStore hanging = FaultyFeedStore.around(store);
        hanging.onCall(call -> call.operation().equals("inbox.deliver") && hangsNext.getAndSet(false), call -> hang());
        return hanging;
    }

    private void hang() {
        long end = System.nanoTime() + hangs.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static long due(FeedEngine engine) {
        return engine.fanout().backlog().due();
    }

    /** Makes the trouble happen. Returns the time of its end. */
    private long makeTrouble(FaultyProxy proxy, FanoutQueue queue, Posting posting, Node relay, Node worker)
            throws Exception {
        switch (trouble) {
            case QUEUE_PURGED, BROKER_WIPED -> {
                worker.engine().fanout().pause();
                posting.publish(lent);
                await().atMost(LIMIT)
                        .until(() -> relay.engine().fanout().backlog().lent() >= lent);
                if (trouble == Trouble.QUEUE_PURGED) {
                    broker.purge(run);
                } else {
                    broker.wipe();
                }
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
            case INBOXES_GONE -> {
                RedisServer inboxes = redis.orElseThrow();
                inboxes.kill();
                posting.publish(POSTS);
                TimeUnit.MILLISECONDS.sleep(gone);
                inboxes.restart();
                awaitDone(relay);
            }
            case ACKNOWLEDGEMENTS_OVERDUE -> {
                hangsNext.set(true);
                posting.publish(MANY / 4);
                await().atMost(LIMIT).until(() -> !hangsNext.get());
                TimeUnit.NANOSECONDS.sleep(hangs.toNanos());
                awaitDone(relay);
            }
            case WORKERS_COME_AND_GO -> replaceWorkers(queue, posting);
            case WORKER_STANDS_STILL -> freezeWorker(posting, worker);
        }
        return System.nanoTime();
    }

    /** Waits until all tasks are done. Without the broker, the workers claim from the store. */
    private static void awaitDone(Node node) {
        await().atMost(LIMIT).ignoreExceptionsInstanceOf(FeedKitException.class).until(() -> due(node.engine()) == 0);
    }

    private void replaceWorkers(FanoutQueue queue, Posting posting) {
        List<Node> workers = new ArrayList<>();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                workers.add(nodes.worker(queue).open());
                posting.publish(POSTS / 2);
                if (round % 2 == 1) {
                    workers.remove(0).close();
                }
            }
        } finally {
            workers.forEach(Node::close);
        }
    }

    private void freezeWorker(Posting posting, Node worker) throws IOException, InterruptedException {
        worker.engine().fanout().pause();
        List<String> arguments =
                List.of(url, broker.address(), run, KillPoint.WORKER_AFTER_CHECKPOINT.name(), "1000000", "1");
        try (ChildProcess other = ChildProcess.start(VictimProcess.class, arguments, Kills.QUICK_START)) {
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
