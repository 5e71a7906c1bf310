package io.feedkit.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.fanout.Backlog;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A long-running fan-out, while workers are replaced and the broker is killed now and then. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description =
                "Publishes for some minutes, replaces workers and kills the broker, and compares all feeds with an "
                        + "oracle.")
final class SoakCommand implements Callable<Integer> {

    private static final int WORKERS = 2;
    private static final int POSTS_AT_ONCE = 5;
    private static final int PAUSE_MILLIS = 100;
    private static final int STEPS_OF_A_WORKER = 100;
    private static final int STEPS_OF_A_BROKER = 600;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Option(names = "--broker", defaultValue = "rabbitmq", description = "rabbitmq (default) or kafka.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String brokerKind;

    @Option(names = "--minutes", defaultValue = "1", description = "How long (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Override
    public Integer call() throws Exception {
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                Broker broker = Broker.start(brokerKind)) {
            String url = database.createDatabase();
            Nodes.createTables(url);
            try (FanoutQueue queue = Broker.queue(broker.address(), "soak");
                    Node publisher = Nodes.on(url).publisher().open();
                    Node relay = Nodes.on(url).relay(queue).open();
                    Node other = Nodes.on(url).relay(queue).named("other").open()) {
                soak(url, broker, queue, publisher);
                System.out.println(
                        "relays: " + relay.engine().fanout().backlog().queue() + ", "
                                + other.engine().fanout().backlog().queue());
            }
        }
        return 0;
    }

    private void soak(String url, Broker broker, FanoutQueue queue, Node publisher) throws InterruptedException {
        Members members = Members.join(Nodes.READERS, publisher);
        Truth truth = new Truth();
        Posting posting = new Posting(publisher, members, truth, new Random(1));
        Deque<Node> workers = new ArrayDeque<>();
        int replaced = 0;
        int kills = 0;
        try {
            while (workers.size() < WORKERS) {
                workers.add(Nodes.on(url).worker(queue).open());
            }
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
            for (int step = 1; System.nanoTime() < end; step++) {
                posting.publish(POSTS_AT_ONCE);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                if (step % STEPS_OF_A_WORKER == 0) {
                    workers.add(Nodes.on(url).worker(queue).open());
                    workers.remove().close();
                    replaced++;
                }
                if (step % STEPS_OF_A_BROKER == 0) {
                    broker.kill();
                    posting.publish(POSTS_AT_ONCE);
                    broker.restart();
                    kills++;
                }
            }
            await().atMost(LIMIT)
                    .until(() -> publisher.engine().fanout().backlog().due() == 0);
            FinalCheck.pass(publisher, members, truth);
            FinalCheck.inboxesLackNothing(publisher, members);
        } finally {
            workers.forEach(Node::close);
        }
        Backlog backlog = publisher.engine().fanout().backlog();
        System.out.printf(
                "%s: %d minutes, %d posts, %d workers replaced, %d kills of the broker: feeds as they should be, "
                        + "%d dead letters%n",
                brokerKind, minutes, truth.posts(), replaced, kills, backlog.deadLetters());
    }
}
