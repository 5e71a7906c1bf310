package io.feedkit.jdbc.survival;

import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static java.sql.Connection.TRANSACTION_SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Threads;
import io.feedkit.testservers.survival.Truth;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("survival")
class ContentionTest {

    private static final int READERS = 40;
    private static final int HOSTS = 3;
    private static final int TRANSACTIONS = Rounds.of(25);
    private static final int DEADLOCKS = Rounds.of(5);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    private final AtomicInteger repeated = new AtomicInteger();
    private String url;
    private Probe probe;

    @BeforeEach
    void createTables() throws SQLException {
        url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
        probe = new Probe(url);
        probe.execute(HostArticles.TABLE);
        probe.execute("CREATE TABLE counter (n bigint)");
        probe.execute("INSERT INTO counter VALUES (0)");
        probe.execute("ALTER DATABASE " + url.replaceAll(".*/|\\?.*", "") + " SET deadlock_timeout = '500ms'");
    }

    @ParameterizedTest(name = "isolation {0}")
    @ValueSource(ints = {TRANSACTION_REPEATABLE_READ, TRANSACTION_SERIALIZABLE})
    @Timeout(300)
    @DisplayName("conflicting host transactions fail, and the host repeats them")
    void conflictingHosts(int isolation) throws Exception {
        Truth truth = new Truth();
        try (Node one = Nodes.at(url).named("one").open();
                Node two =
                        Nodes.at(url).named("two").policy(FanoutPolicy.pull()).open();
                Threads hosts = new Threads()) {
            Members members = Members.join(READERS, one);
            try (FeedMonitor monitor = FeedMonitor.start(members, truth, List.of(one, two))) {
                for (int h = 0; h < HOSTS; h++) {
                    Random random = new Random(h);
                    String name = "host" + h + "-";
                    Node node = h == 0 ? one : two;
                    hosts.start(() -> writeAll(name, random, members, node, isolation, truth));
                }
                hosts.finish();
                monitor.finish();
            }
            FinalCheck.pass(List.of(one, two), members, truth);
            assertThat(haveBothDelivered(one, two)).isTrue();
            assertThat(truth.posts()).isEqualTo(HOSTS * TRANSACTIONS);
            assertThat(probe.count("SELECT n FROM counter")).isEqualTo(truth.posts());
            assertThat(probe.count("SELECT count(*) FROM article")).isEqualTo(truth.posts());
            assertThat(probe.count("SELECT count(*) FROM feedkit_post")).isEqualTo(truth.posts());
        }
        assertThat(repeated).hasPositiveValue();
        System.out.printf("isolation=%d posts=%d transactions repeated=%s%n", isolation, truth.posts(), repeated);
    }

    private void writeAll(String name, Random random, Members members, Node node, int isolation, Truth truth) {
        for (int n = 0; n < TRANSACTIONS; n++) {
            writeUntilCommitted(new Post(members.anAuthor(random), name + n, Instant.now()), node, isolation, truth);
        }
    }

    private void writeUntilCommitted(Post post, Node node, int isolation, Truth truth) {
        truth.asks(post.key());
        try (HostArticles articles = new HostArticles(url)) {
            articles.isolate(isolation);
            while (!committed(post, node, articles)) {
                repeated.incrementAndGet();
                articles.rollback();
            }
            truth.published(post);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean committed(Post post, Node node, HostArticles articles) throws SQLException {
        try {
            articles.update("UPDATE counter SET n = n + 1");
            articles.write(post, node.engine());
            articles.commit();
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isIn("40001", "40P01");
            return false;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("if two hosts publish the same posts in opposite orders, one is rolled back and repeats its work")
    void samePostsInOppositeOrders() throws Exception {
        Truth truth = new Truth();
        try (Node one = Nodes.at(url).named("one").open();
                Node two = Nodes.at(url).named("two").open()) {
            Members members = Members.join(READERS, one);
            for (int round = 0; round < DEADLOCKS || !haveBothDelivered(one, two); round++) {
                Post first = new Post(Members.STAR, "first-" + round, Instant.now());
                Post second = new Post("ann", "second-" + round, Instant.now());
                CyclicBarrier bothHaveOne = new CyclicBarrier(2);
                try (Threads hosts = new Threads()) {
                    hosts.start(() -> publishBoth(first, second, one, bothHaveOne));
                    hosts.start(() -> publishBoth(second, first, two, bothHaveOne));
                    hosts.finish();
                }
                truth.published(first);
                truth.published(second);
            }
            FinalCheck.pass(List.of(one, two), members, truth);
            FinalCheck.inboxesLackNothing(one, members);
        }
        assertThat(repeated).hasValueGreaterThanOrEqualTo(DEADLOCKS);
        System.out.printf("posts=%d transactions repeated after deadlocks=%s%n", truth.posts(), repeated);
    }

    private void publishBoth(Post mine, Post theirs, Node node, CyclicBarrier bothHaveOne) {
        try (HostArticles host = new HostArticles(url)) {
            host.publish(mine, node.engine());
            bothHaveOne.await();
            while (!published(theirs, mine, node, host)) {
                repeated.incrementAndGet();
                host.rollback();
            }
            host.commit();
        } catch (SQLException | InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns false after a deadlock. The second post was published before, unless that publish was rolled back. */
    private static boolean published(Post first, Post second, Node node, HostArticles host) {
        try {
            host.publish(first, node.engine());
            host.publish(second, node.engine());
            return true;
        } catch (StoreUnavailableException deadlock) {
            return false;
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("deliveries from two stores to the same readers in any order do not deadlock")
    void overlappingDeliveries() throws Exception {
        Truth truth = new Truth();
        try (Node one = Nodes.at(url).named("one").workers(0).open();
                Node two = Nodes.at(url).named("two").workers(0).open();
                Threads deliveries = new Threads()) {
            Members members = Members.join(READERS, one);
            for (int n = 0; n < TRANSACTIONS; n++) {
                truth.published(one.engine().publish(Members.STAR, "post-" + n).post());
            }
            for (int seed = 0; seed < 4; seed++) {
                Inbox inbox = (seed % 2 == 0 ? one : two).store().inbox(LIMITS);
                List<String> readers = new ArrayList<>(members.readers());
                Random order = new Random(seed);
                deliveries.start(() -> truth.published().forEach(post -> {
                    Collections.shuffle(readers, order);
                    inbox.deliver(List.of(new Delivery(post, readers, 0)));
                }));
            }
            deliveries.finish();
            FinalCheck.inboxesLackNothing(one, members);
            one.engine().fanout().drain();
            FinalCheck.pass(List.of(one, two), members, truth);
        }
        System.out.printf(
                "posts=%d deliveries=%d deadlocks=%d%n", truth.posts(), 4 * READERS * truth.posts(), probe.deadlocks());
    }

    @Test
    @Timeout(300)
    @DisplayName("a delivery that deadlocks with another transaction is repeated")
    void deadlockWithARogue() throws SQLException {
        Truth truth = new Truth();
        int delivered = 0;
        long before = probe.deadlocks();
        try (Node one = Nodes.patientAt(url).named("one").open();
                Node two = Nodes.patientAt(url).named("two").open();
                Connection rogue = DriverManager.getConnection(url)) {
            List<Node> nodes = List.of(one, two);
            Members members = Members.join(READERS, one);
            rogue.createStatement().execute("SET deadlock_timeout = '1500ms'");
            rogue.setAutoCommit(false);
            for (int n = 0; delivered < DEADLOCKS || nodes.stream().anyMatch(each -> each.finishedTasks() == 0); n++) {
                lock(rogue, members.readers().get(9));
                truth.published(nodes.get(n % 2)
                        .engine()
                        .publish(Members.STAR, "post-" + n)
                        .post());
                await().atMost(LIMIT).pollInterval(POLL).until(() -> probe.waitingForLocks() > 0);
                delivered += deadlocksWithUs(rogue, members.readers().get(0)) ? 1 : 0;
                FinalCheck.pass(nodes, members, truth);
            }
            FinalCheck.inboxesLackNothing(one, members);
            assertThat(nodes).allMatch(each -> each.failedTasks() == 0, "no task failed");
            await().atMost(LIMIT).until(() -> probe.deadlocks() >= before + DEADLOCKS);
        }
        System.out.printf("posts=%d deliveries rolled back for deadlocks=%d%n", truth.posts(), delivered);
    }

    private static boolean haveBothDelivered(Node one, Node two) {
        return one.finishedTasks() > 0 && two.finishedTasks() > 0;
    }

    private static void lock(Connection rogue, String reader) throws SQLException {
        try (PreparedStatement select =
                rogue.prepareStatement("SELECT 1 FROM feedkit_inbox WHERE reader = ? FOR UPDATE")) {
            select.setString(1, reader);
            select.execute();
        }
    }

    /** Takes the lock that completes the deadlock. Returns false if the server rolls back this transaction instead. */
    private static boolean deadlocksWithUs(Connection rogue, String reader) throws SQLException {
        try {
            lock(rogue, reader);
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo("40P01");
            return false;
        } finally {
            rogue.rollback();
        }
    }
}
