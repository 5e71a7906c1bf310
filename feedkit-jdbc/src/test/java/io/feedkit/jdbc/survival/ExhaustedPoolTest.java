package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Walks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class ExhaustedPoolTest {

    private static final int ROUNDS = Rounds.of(5);
    private static final int CONNECTIONS = 2;
    private static final long TIMEOUT_MILLIS = 500;
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<HikariDataSource> pools = new ArrayList<>();
    private int exhausted;
    private int refused;
    private int written;
    private int names;

    @AfterEach
    void closePools() {
        pools.forEach(HikariDataSource::close);
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName(
            "if hosts take all connections of engines' pools, calls fail in bounded time, and other engines continue")
    void exhausted(Engines engines) throws Exception {
        String url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
        new Probe(url).execute(HostArticles.TABLE);
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.on(pool(url)))) {
            List<Integer> all = engines == Engines.ONE ? List.of(0) : List.of(0, 1);
            for (int round = 0; round < ROUNDS; round++) {
                exhaust(List.of(round % all.size()), scenario);
                exhaust(all, scenario);
            }
            scenario.finish("pools exhausted=" + exhausted + " calls refused=" + refused
                    + " written on held connections=" + written);
            assertThat(scenario.triedAgain()).isPositive();
        }
        assertThat(written).isEqualTo(exhausted);
    }

    /** A pool whose connections are all open. */
    private HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(TIMEOUT_MILLIS);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        await().atMost(LIMIT).until(() -> pool.getHikariPoolMXBean().getIdleConnections() == CONNECTIONS);
        return pool;
    }

    /**
     * Takes all connections of some nodes' pools at once, publishes on one of each pool, and returns the connections.
     */
    private void exhaust(List<Integer> taken, Scenario scenario) throws SQLException {
        List<Node> nodes = scenario.nodes();
        List<List<Connection>> held = new ArrayList<>();
        List<Post> again = new ArrayList<>();
        for (int n : taken) {
            held.add(takeAll(pools.get(n)));
        }
        exhausted += taken.size();
        for (int i = 0; i < taken.size(); i++) {
            Node node = nodes.get(taken.get(i));
            again.add(refuse(node, scenario));
            writeInside(node, held.get(i).get(0), scenario);
        }
        for (int n = 0; n < nodes.size(); n++) {
            if (!taken.contains(n)) {
                goesOn(nodes.get(n), scenario);
            }
        }
        for (List<Connection> connections : held) {
            for (Connection each : connections) {
                each.close();
            }
        }
        for (int i = 0; i < taken.size(); i++) {
            publishNew(nodes.get(taken.get(i)).engine(), again.get(i), scenario);
        }
    }

    private static List<Connection> takeAll(HikariDataSource pool) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        while (taken.size() < CONNECTIONS) {
            try {
                taken.add(pool.getConnection());
            } catch (SQLTransientConnectionException e) {
                // The engine uses all connections; one becomes free soon.
            }
        }
        return taken;
    }

    /** Makes calls that need a connection, which fail, and returns the post that was not published. */
    private Post refuse(Node node, Scenario scenario) {
        Post post = post("refused", scenario);
        assertRefused(() -> node.engine().publish(post));
        assertRefused(
                () -> Walks.plain(node.engine(), scenario.members().readers().get(0)));
        return post;
    }

    /**
     * Publishes a post on the host's own connection. The publish needs no other connection, whatever its policy asks.
     */
    private void writeInside(Node node, Connection connection, Scenario scenario) throws SQLException {
        HostArticles articles = new HostArticles(connection);
        Post post = post("inside", scenario);
        articles.write(post, node.engine());
        articles.commit();
        scenario.truth().published(post);
        written++;
    }

    private void assertRefused(ThrowingCallable call) {
        long begun = System.nanoTime();
        assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
        refused++;
    }

    private void goesOn(Node node, Scenario scenario) {
        int before = node.finishedTasks();
        Post post = post("meanwhile", scenario);
        publishNew(node.engine(), post, scenario);
        await().atMost(LIMIT).until(() -> node.finishedTasks() > before);
    }

    /** Publishes until it is acknowledged; the engine's own threads compete for the connections. */
    private static void publishNew(FeedEngine feed, Post post, Scenario scenario) {
        await().atMost(LIMIT).ignoreException(StoreUnavailableException.class).untilAsserted(() -> {
            Published answer = feed.publish(post);
            assertThat(answer.status()).isEqualTo(Published.Status.NEW);
            scenario.truth().published(answer.post());
        });
    }

    private Post post(String name, Scenario scenario) {
        Post post = new Post(Members.STAR, name + "-" + names++, Instant.now());
        scenario.truth().asks(post.key());
        return post;
    }
}
