package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testservers.ChildProcess;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Truth;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("survival")
class KilledHostTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int READERS = 100;

    /** This number of kills at random moments hits at least one fan-out. */
    private static final int MOST_KILLS = 40;

    private static final List<String> QUICK_START =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m");

    private static final String UNLIKE =
            "SELECT count(*) FROM (SELECT author, id, published_at FROM article WHERE state = 'HERE'"
                    + " UNION ALL SELECT author, id, NULL FROM article WHERE state = 'GONE') a"
                    + " FULL JOIN feedkit_post p ON p.author = a.author AND p.id = a.id"
                    + " WHERE a.id IS NULL OR p.id IS NULL OR a.published_at IS DISTINCT FROM p.published_at";

    private static PostgresServer server;

    private final Deque<ChildProcess> running = new ArrayDeque<>();
    private final Truth acknowledged = new Truth();
    private final Random random = new Random(1);
    private int started;
    private int withTasks;
    private int amidFanout;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start(Durability.DURABLE);
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @ParameterizedTest(name = "{0} at once, {1} kills")
    @CsvSource({"1, 5", "2, 3"})
    @Timeout(300)
    @DisplayName("a host is killed between its commit and the last delivery; rows, posts and feeds match")
    void killed(int hosts, int usualKills) throws Exception {
        String url = server.createDatabase();
        Nodes.createTables(url);
        Probe probe = new Probe(url);
        probe.execute(HostArticles.TABLE);
        try (Node idle = Nodes.at(url).named("idle").workers(0).open();
                FeedMonitor monitor =
                        FeedMonitor.start(Members.join(READERS, idle), acknowledged, List.of(idle), key -> true)) {
            int kills = kill(url, hosts, Rounds.of(usualKills), probe);
            monitor.finish();
            check(url, hosts, idle, monitor.members());
            System.out.printf(
                    "hosts at once=%d killed=%d with unfinished tasks=%d amid fan-out=%d:"
                            + " posts acknowledged=%d deleted=%d walks=%d%n",
                    hosts, kills, withTasks, amidFanout, acknowledged.posts(), acknowledged.deletes(), monitor.walks());
        }
        assertThat(amidFanout).isPositive();
    }

    /** Kills hosts until one is hit during a fan-out. The next host is ready when one is killed. */
    private int kill(String url, int hosts, int kills, Probe probe) throws SQLException {
        ChildProcess next = start(url, hosts);
        int killed = 0;
        try {
            while (killed < kills || (amidFanout == 0 && killed < MOST_KILLS)) {
                while (running.size() < hosts) {
                    next.send("go");
                    running.add(next);
                    next = start(url, hosts);
                }
                ChildProcess victim = running.remove();
                victim.awaitLine("committed", LIMIT);
                next.awaitLine("ready", LIMIT);
                Rounds.moment(random, 100);
                victim.kill9();
                killed++;
                withTasks += probe.unfinishedTasks() > 0 ? 1 : 0;
                amidFanout += probe.halfDoneTasks() > 0 ? 1 : 0;
                hear(victim);
            }
        } finally {
            next.close();
            running.forEach(ChildProcess::close);
        }
        running.forEach(this::hear);
        return killed;
    }

    /** Starts a host. If there are two at once, every other one pulls and the rest push. */
    private ChildProcess start(String url, int hosts) {
        started++;
        return ChildProcess.start(
                HostProcess.class,
                List.of(url, "host" + started, started % hosts == 0 ? "pushes" : "pulls"),
                QUICK_START);
    }

    /** Records the posts that a host has acknowledged. */
    private void hear(ChildProcess host) {
        assertThat(host.output()).noneMatch(line -> line.contains("AssertionError"));
        for (String line : host.output()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("committed")) {
                acknowledged.published(Post.of(words[1], words[2], Long.parseLong(words[3])));
            } else if (words[0].equals("deleted")) {
                acknowledged.deleted(new PostKey(words[1], words[2]));
            }
        }
    }

    /** Compares the host's rows with the acknowledged posts, with FeedKit's posts, and with the feeds. */
    private void check(String url, int hosts, Node idle, Members members) throws SQLException {
        try (Node last = Nodes.at(url).named("last").open();
                HostArticles articles = new HostArticles(url)) {
            articles.finishDeletes(last.engine());
            Truth rows = new Truth();
            articles.find("HERE").forEach(rows::published);
            for (Post gone : articles.find("GONE")) {
                rows.published(gone);
                rows.deleted(gone.key());
            }
            assertThat(rows.published()).containsAll(acknowledged.published());
            assertThat(rows.gone()).containsAll(acknowledged.gone());
            assertThat(new Probe(url).count(UNLIKE))
                    .as("rows that are not posts, and posts that are not rows")
                    .isZero();
            FinalCheck.pass(List.of(last, idle), members, rows);
            if (hosts == 1) {
                FinalCheck.inboxesLackNothing(last, members);
            }
        }
    }
}
