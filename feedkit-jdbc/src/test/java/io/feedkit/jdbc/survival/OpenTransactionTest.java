package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.jdbc.survival.Scenario.Engines;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenTransactionTest {

    private static final int READERS = 20;
    private static final int ROLLBACKS = Rounds.of(20);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECONDS_OPEN = Duration.ofSeconds(3);

    private final Random random = new Random(2);
    private String url;

    @BeforeEach
    void createTables() throws SQLException {
        url = PostgresServer.shared().createDatabase();
        Scenario.createTables(url);
        new Probe(url).execute(HostArticles.TABLE);
    }

    @Test
    @Timeout(60)
    @DisplayName("of host transactions that are rolled back nothing is there, neither row nor post nor task")
    void rolledBack() throws SQLException {
        Truth truth = new Truth();
        try (Node node = Node.at(url).open();
                HostArticles articles = new HostArticles(url)) {
            Members members = Members.join(READERS, node);
            for (int n = 0; n < ROLLBACKS; n++) {
                Post undone = new Post(members.anAuthor(random), "undone-" + n, Instant.now());
                articles.write(undone, node.engine());
                articles.rollback();
                Post kept = new Post(members.anAuthor(random), "kept-" + n, Instant.now());
                articles.write(kept, node.engine());
                articles.commit();
                truth.published(kept);
            }
            FinalCheck.pass(node, members, truth);
            FinalCheck.inboxesLackNothing(node, members);
            Probe probe = new Probe(url);
            for (String table : new String[] {"article", "feedkit_post", "feedkit_task"}) {
                assertThat(probe.count("SELECT count(*) FROM " + table)).isEqualTo(ROLLBACKS);
            }
        }
        System.out.printf("rolled back=%d committed=%d%n", ROLLBACKS, truth.posts());
    }

    @Test
    @Timeout(60)
    @DisplayName("a host transaction open for a minute holds back the settled mark, and nothing else")
    void openForAMinute() throws SQLException {
        SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
        Truth truth = new Truth();
        try (Node node = Node.at(url).workers(0).clocks(clock).open();
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

    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    @DisplayName("a host transaction open for seconds while others publish, read and fan out")
    void openForSeconds(Engines engines) throws Exception {
        try (Scenario scenario = Scenario.start(url, engines);
                HostArticles articles = new HostArticles(url)) {
            Node node = scenario.node();
            Post late = new Post(Members.STAR, "late", Instant.now());
            scenario.truth().asks(late.key());
            articles.write(late, node.engine());
            long written = System.currentTimeMillis();
            int published = scenario.truth().posts();
            await().pollDelay(SECONDS_OPEN).until(() -> scenario.truth().posts() > published);
            assertThat(node.store().outbox().settledMark()).isLessThanOrEqualTo(written);
            assertThat(node.finishedTasks()).isPositive();
            articles.commit();
            scenario.truth().published(late);
            scenario.finish("transaction open for ms=" + (System.currentTimeMillis() - written)
                    + " published meanwhile=" + (scenario.truth().posts() - published));
        }
    }
}
