package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("survival")
class KilledHostTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int READERS = 100;
    private static final List<String> QUICK_START =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m");

    private final RedisServer server = RedisServer.start(Durability.FAST);
    private final Admin admin = new Admin(server.port());
    private final Deque<ChildProcess> running = new ArrayDeque<>();
    private final Truth acknowledged = new Truth();
    private final Truth leaving = new Truth();
    private Set<String> left = Set.of();
    private int started;
    private int withTasks;
    private int amidFanout;

    @AfterEach
    void close() {
        admin.close();
        server.close();
    }

    @ParameterizedTest(name = "{0} at once, each with {1} workers, {2} kills")
    @CsvSource({"1, 2, 3", "2, 2, 2", "1, 0, 3"})
    @Timeout(300)
    @DisplayName("a host is killed in mid-fan-out, or right after publish has returned: all that it was"
            + " answered is there, and the feeds are right")
    void killed(int hosts, int workers, int usualKills) throws Exception {
        int kills = Rounds.of(usualKills);
        try (Node last = Nodes.at(server.port())
                        .named("last")
                        .workers(workers == 0 ? 2 : 0)
                        .open();
                FeedMonitor monitor =
                        FeedMonitor.start(Members.join(READERS, last), acknowledged, List.of(last), key -> true)) {
            kill(hosts, workers, kills);
            monitor.finish();
            check(monitor.members(), last);
            System.out.printf(
                    "hosts at once=%d with workers=%d killed=%d times, with unfinished tasks=%d,"
                            + " with one half done=%d: posts acknowledged=%d deleted=%d walks=%d%n",
                    hosts,
                    workers,
                    kills,
                    withTasks,
                    amidFanout,
                    acknowledged.posts(),
                    acknowledged.deletes(),
                    monitor.walks());
        }
        assertThat(withTasks).isPositive();
        assertThat(amidFanout).isGreaterThanOrEqualTo(hosts == 1 && workers > 0 ? kills / 3 : 0);
    }

    /** Kills one host after the other. When one is killed, the next has just started. */
    private void kill(int hosts, int workers, int kills) {
        ChildProcess next = start(workers);
        try {
            for (int kill = 0; kill < kills; kill++) {
                while (running.size() < hosts) {
                    awaitReady(next);
                    next.send("go");
                    running.add(next);
                    next = start(workers);
                }
                ChildProcess victim = running.remove();
                awaitReady(next);
                awaitOneMore(victim);
                if (workers > 0) {
                    awaitHalfDone();
                }
                victim.kill9();
                lookAtTasks();
                hear(victim);
            }
        } finally {
            next.close();
            running.forEach(ChildProcess::close);
        }
        running.forEach(this::hear);
    }

    private static void awaitReady(ChildProcess host) {
        await().atMost(LIMIT).until(() -> host.output().contains("ready"));
    }

    /** Waits until a task is half done that no victim has left behind. */
    private void awaitHalfDone() {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(1)).until(() -> !left.containsAll(admin.halfDoneTasks()));
    }

    private void lookAtTasks() {
        Set<String> tasks = admin.halfDoneTasks();
        amidFanout += left.containsAll(tasks) ? 0 : 1;
        left = tasks;
        withTasks += admin.hasTasks() ? 1 : 0;
    }

    /** Waits until a publish has just returned. */
    private static void awaitOneMore(ChildProcess host) {
        long before = host.output().stream()
                .filter(line -> line.startsWith("published"))
                .count();
        for (long n = 0; n <= before; n++) {
            host.awaitLine("published", LIMIT);
        }
    }

    private ChildProcess start(int workers) {
        started++;
        return ChildProcess.start(
                HostProcess.class,
                List.of(
                        Integer.toString(server.port()),
                        "host" + started,
                        Integer.toString(workers),
                        Integer.toString(READERS)),
                QUICK_START);
    }

    /** Records what a host has acknowledged. Its last line may have been cut. */
    private void hear(ChildProcess host) {
        assertThat(host.output()).noneMatch(line -> line.contains("AssertionError"));
        for (String line : host.output()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("published") && words.length == 4 && words[3].length() == 13) {
                acknowledged.published(Post.of(words[1], words[2], Long.parseLong(words[3])));
            } else if (words[0].equals("deleting") && words.length == 3) {
                leaving.deleted(new PostKey(words[1], words[2]));
            } else if (words[0].equals("deleted") && words.length == 3) {
                acknowledged.deleted(new PostKey(words[1], words[2]));
            }
        }
    }

    /** Compares what is stored with what was acknowledged, and with the feeds. */
    private void check(Members members, Node last) {
        try (Node heir = Nodes.at(server.port()).named("heir").open()) {
            Truth stored = Stored.in(heir, members);
            Set<Post> mustBeThere = acknowledged.published().stream()
                    .filter(post -> !leaving.gone().contains(post.key()))
                    .collect(Collectors.toSet());
            assertThat(stored.published()).containsAll(mustBeThere);
            assertThat(stored.published()).noneMatch(post -> acknowledged.gone().contains(post.key()));
            FinalCheck.pass(List.of(heir, last), members, stored);
            FinalCheck.inboxesLackNothing(heir, members);
        }
    }
}
