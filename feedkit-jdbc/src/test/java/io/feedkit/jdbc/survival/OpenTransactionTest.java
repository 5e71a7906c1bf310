package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Threads;
import io.feedkit.testservers.survival.Truth;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class OpenTransactionTest {

    private static final int READERS = 20;
    private static final int HOSTS = 4;
    private static final int UNDONE = Rounds.of(100);
    private static final int LONGEST_MILLIS = 20;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HELD = Duration.ofSeconds(Rounds.of(10));
    private static final Duration BETWEEN_LOOKS = HELD.dividedBy(10);

    private static String databaseWithArticles() throws SQLException {
        String url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
        new Probe(url).execute(HostArticles.TABLE);
        return url;
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("host transactions that are rolled back among others leave no row, no post and no task")
    void rolledBack(Engines engines) throws Exception {
        String url = databaseWithArticles();
        AtomicInteger rolledBack = new AtomicInteger();
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.at(url));
                Threads hosts = new Threads()) {
            for (int h = 0; h < HOSTS; h++) {
                int host = h;
                hosts.start(() -> rolledBack.addAndGet(writeAndRollBack(url, host, scenario)));
            }
            hosts.finish();
            scenario.finish("host transactions rolled back=" + rolledBack + " committed=" + UNDONE);
            Probe probe = new Probe(url);
            assertThat(probe.count("SELECT count(*) FROM article")).isEqualTo(UNDONE);
            assertThat(probe.count("SELECT count(*) FROM feedkit_post"))
                    .isEqualTo(scenario.truth().posts());
            for (String table : new String[] {"feedkit_task", "feedkit_pulled"}) {
                assertThat(probe.count("SELECT count(*) FROM " + table
                                + " WHERE oldest_id LIKE 'undone-%' OR newest_id LIKE 'undone-%'"))
                        .as(table)
                        .isZero();
            }
        }
        assertThat(rolledBack).hasValueGreaterThan(UNDONE);
    }

    /**
     * Rolls back every second transaction for good, and some of the others once before they commit. Returns the number
     * of rollbacks.
     */
    private static int writeAndRollBack(String url, int host, Scenario scenario) {
        Random random = new Random(host);
        FeedEngine feed = scenario.nodes().get(host % scenario.nodes().size()).engine();
        int rolledBack = 0;
        try (HostArticles articles = new HostArticles(url)) {
            for (int n = 0; n < UNDONE / HOSTS; n++) {
                String name = "-" + host + "-" + n;
                articles.write(new Post(scenario.members().anAuthor(random), "undone" + name, Instant.now()), feed);
                Rounds.moment(random, LONGEST_MILLIS);
                articles.rollback();
                rolledBack++;
                Post kept = new Post(scenario.members().anAuthor(random), "kept" + name, Instant.now());
                scenario.truth().asks(kept.key());
                articles.write(kept, feed);
                if (random.nextBoolean()) {
                    articles.rollback();
                    rolledBack++;
                    articles.write(kept, feed);
                }
                Rounds.moment(random, LONGEST_MILLIS);
                articles.commit();
                scenario.truth().published(kept);
            }
            return rolledBack;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("a host transaction open for a minute of the store's time delays only the settled mark")
    void openForAMinute() throws SQLException {
        String url = databaseWithArticles();
        SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
        Random random = new Random(2);
        Truth truth = new Truth();
        try (Node node = Nodes.at(url, clock).workers(0).clock(clock).open();
                HostArticles articles = new HostArticles(url)) {
            FeedEngine feed = node.engine();
            Members members = Members.join(READERS, node);
            Post late = new Post(Members.STAR, "late", clock.instant());
            long begun = clock.millis();
            articles.write(late, feed);
            for (int second = 0; second < MINUTE.toSeconds(); second++) {
                clock.advance(Duration.ofSeconds(1));
                String id = "meanwhile-" + second;
                truth.published(feed.publish(members.anAuthor(random), id).post());
                feed.fanout().drain();
                assertThat(node.store().outbox().settledMark()).isLessThanOrEqualTo(begun);
            }
            FinalCheck.pass(node, members, truth);
            members.readers().subList(0, READERS / 2).forEach(feed::rebuild);
            articles.commit();
            truth.published(late);
            feed.fanout().drain();
            FinalCheck.pass(node, members, truth);
            FinalCheck.inboxesLackNothing(node, members);
            assertThat(node.store().outbox().settledMark()).isGreaterThan(begun);
        }
        System.out.printf("open for %s of the store's time, published meanwhile=%d%n", MINUTE, truth.posts() - 1);
    }

    @Test
    @Timeout(300)
    @DisplayName("host transactions that stay open delay no publish, fan-out, read, rebuild or cleanup")
    void reallyOpen() throws Exception {
        try (HeldTransactions one = HeldTransactions.begin(databaseWithArticles(), Engines.ONE);
                HeldTransactions two = HeldTransactions.begin(databaseWithArticles(), Engines.TWO)) {
            long begun = System.nanoTime();
            for (Duration open = BETWEEN_LOOKS; open.compareTo(HELD) <= 0; open = open.plus(BETWEEN_LOOKS)) {
                awaitTime(begun + open.toNanos());
                one.look();
                two.look();
            }
            for (HeldTransactions held : new HeldTransactions[] {one, two}) {
                held.commitFirst(HELD);
            }
            awaitTime(begun + HELD.plus(BETWEEN_LOOKS).toNanos());
            for (HeldTransactions held : new HeldTransactions[] {one, two}) {
                held.rollBackSecond(HELD);
                held.finish();
            }
        }
    }

    private static void awaitTime(long nanoTime) {
        await().atMost(MINUTE).until(() -> System.nanoTime() - nanoTime >= 0);
    }
}
