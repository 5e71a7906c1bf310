package io.feedkit.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.survival.KillPoint.Role;
import io.feedkit.survival.Kills.Outcome;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One kill. The part that is to be killed runs in a process of its own; the other parts of the fan-out are nodes in
 * this one. If the killed process was the only one with its part, a new node takes over the part after the kill.
 */
final class KillRun {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration REACHED_WITHIN = Duration.ofSeconds(2);
    private static final int TRIES = 5;
    private static final int POSTS = 24;
    private static final int LATEST_TIME = 3;

    private final String url;
    private final Broker broker;
    private final KillPoint point;
    private final Random random;
    private final String run;
    private final Truth truth = new Truth();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<PostKey, Post> unacknowledged = new LinkedHashMap<>();

    KillRun(String url, Broker broker, KillPoint point, long seed, String run) {
        this.url = url;
        this.broker = broker;
        this.point = point;
        this.random = new Random(seed);
        this.run = run;
    }

    Outcome run() throws Exception {
        Nodes.createTables(url);
        try (Node publisher = Nodes.on(url).publisher().open()) {
            Members members = Members.join(Nodes.READERS, publisher);
            Posting posting = new Posting(publisher, members, truth, random);
            boolean reached = point.role() == Role.BROKER ? killBroker(posting) : killProcess(posting);
            long killed = System.nanoTime();
            resolveUnacknowledged(publisher);
            await().atMost(LIMIT)
                    .until(() -> publisher.engine().fanout().backlog().due() == 0);
            Duration resumed = Duration.ofNanos(System.nanoTime() - killed);
            FinalCheck.pass(publisher, members, truth);
            FinalCheck.inboxesLackNothing(publisher, members);
            return new Outcome(reached, truth.posts(), resumed);
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    private FanoutQueue queue(Trap<KillPoint> trap) {
        FanoutQueue queue = new TrappedQueue(Broker.queue(broker.address(), run), trap);
        open.add(queue);
        return queue;
    }

    private void start(Node.Setup setup, Trap<KillPoint> trap) {
        open.add(0, setup.through(store -> new TrappedStore(store, trap)).open());
    }

    private boolean killProcess(Posting posting) throws Exception {
        Trap<KillPoint> none = Trap.none(point);
        Role role = point.role();
        List<String> arguments = List.of(
                url,
                broker.address(),
                run,
                point.name(),
                Integer.toString(1 + random.nextInt(LATEST_TIME)),
                Long.toString(random.nextLong()));
        try (ChildProcess victim = ChildProcess.start(VictimProcess.class, arguments, Kills.QUICK_START)) {
            victim.awaitLine("ready", LIMIT);
            FanoutQueue queue = queue(none);
            if (role != Role.RELAY) {
                start(Nodes.on(url).relay(queue), none);
            }
            if (role != Role.WORKER) {
                start(Nodes.on(url).worker(queue), none);
            }
            victim.send("go");
            victim.awaitLine("open", LIMIT);
            boolean reached = isReached(victim, role == Role.PUBLISHER ? Optional.empty() : Optional.of(posting));
            victim.kill9();
            recordOutput(victim);
            if (role == Role.RELAY) {
                start(Nodes.on(url).relay(queue), none);
            } else if (role == Role.WORKER) {
                start(Nodes.on(url).worker(queue), none);
            } else {
                posting.publish(POSTS);
            }
            return reached;
        }
    }

    /** Publishes until the point is reached. The number of posts needed depends on the sizes of the batches. */
    private static boolean isReached(ChildProcess victim, Optional<Posting> posting) {
        for (int i = 0; i < TRIES; i++) {
            posting.ifPresent(some -> some.publish(POSTS));
            try {
                victim.awaitLine("at ", REACHED_WITHIN);
                return true;
            } catch (IllegalStateException e) {
                // The next posts may reach the point.
            }
        }
        return false;
    }

    private boolean killBroker(Posting posting) throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch killed = new CountDownLatch(1);
        Trap<KillPoint> trap = Trap.holding(point, 1 + random.nextInt(LATEST_TIME), reached, killed);
        FanoutQueue queue = queue(trap);
        start(Nodes.on(url).relay(queue), trap);
        start(Nodes.on(url).worker(queue), trap);
        boolean inTime = false;
        try {
            for (int i = 0; i < TRIES && !inTime; i++) {
                posting.publish(POSTS);
                inTime = reached.await(REACHED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            }
            broker.kill();
        } finally {
            killed.countDown();
        }
        posting.publish(POSTS);
        broker.restart();
        return inTime;
    }

    /** Records the output of a publisher. */
    private void recordOutput(ChildProcess victim) {
        for (String line : victim.output()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "asks" -> {
                    Post post = Post.of(words[1], words[2], Long.parseLong(words[3]));
                    unacknowledged.put(post.key(), post);
                }
                case "published" -> {
                    Post post = Post.of(words[1], words[2], Long.parseLong(words[3]));
                    truth.published(post);
                    unacknowledged.remove(post.key());
                }
                case "deletes" -> {
                    PostKey key = new PostKey(words[1], words[2]);
                    unacknowledged.put(key, Post.of(words[1], words[2], 0));
                }
                case "deleted" -> {
                    PostKey key = new PostKey(words[1], words[2]);
                    truth.deleted(key);
                    unacknowledged.remove(key);
                }
                default -> assertThat(line).doesNotContain("failed");
            }
        }
    }

    /**
     * Records the outcome of the last publish or delete of a killed publisher. It was never acknowledged, so both
     * outcomes are right.
     */
    private void resolveUnacknowledged(Node node) {
        Set<PostKey> existing =
                node.store().outbox().existing(unacknowledged.keySet()).keySet();
        unacknowledged.forEach((key, post) -> {
            boolean isDelete = post.publishedAt().toEpochMilli() == 0;
            if (isDelete && !existing.contains(key)) {
                truth.deleted(key);
            } else if (!isDelete && existing.contains(key)) {
                truth.published(post);
            }
        });
    }
}
