package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Publishing in a transaction of the host's, with few connections. */
class JdbcTransactionalPublishTest {

    private static final PageRequest FIRST = PageRequest.first(100);

    /** The answers that a policy got. */
    private record Told(long followers, FanoutMode mode, Duration backlogAge) {}

    /** A policy that asks for everything, and records the answers. */
    private static final class Curious implements FanoutPolicy {
        private final List<Told> told = new ArrayList<>();

        @Override
        public FanoutMode decide(AuthorStatus author) {
            told.add(new Told(author.followers(), author.currentMode(), author.backlogAge()));
            return FanoutMode.PUSH;
        }
    }

    private static HikariDataSource pool(TestDatabase database, int size, long timeoutMillis) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(timeoutMillis);
        return new HikariDataSource(config);
    }

    private static JdbcFeedStore store(TestDatabase database, DataSource dataSource) {
        return JdbcFeedStore.builder(dataSource)
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private static FeedEngineBuilder engine(TestDatabase database, FeedStore store) {
        return FeedEngine.builder(store).clock(database.clock()).workers(0);
    }

    private static void publish(FeedEngine feed, Connection connection, Post post) throws SQLException {
        connection.setAutoCommit(false);
        feed.publish(post, JdbcTransaction.of(connection));
        connection.commit();
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Post post(TestDatabase database, String author, String id) {
        return Post.of(author, id, database.clock().millis());
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @Timeout(60)
    @Tag("concurrency")
    @DisplayName("transactions that publish under a hybrid policy succeed while they hold all connections of the pool")
    void wholePoolPublishes(Kind kind) throws Exception {
        int connections = 10;
        int posts = 120;
        ExecutorService threads = Executors.newFixedThreadPool(12);
        try (TestDatabase database = TestDatabase.of(kind);
                HikariDataSource pool = pool(database, connections, 5000);
                JdbcFeedStore store = JdbcFeedStore.create(pool);
                FeedEngine feed = FeedEngine.builder(store)
                        .policy(FanoutPolicy.hybrid(100_000))
                        .build()) {
            execute(pool, "CREATE TABLE article (id varchar(64) PRIMARY KEY)");
            CyclicBarrier allTaken = new CyclicBarrier(connections);
            List<Future<?>> published = new ArrayList<>();
            for (int i = 0; i < posts; i++) {
                String id = "article-" + i;
                published.add(threads.submit(() -> {
                    try (Connection connection = pool.getConnection()) {
                        connection.setAutoCommit(false);
                        insertArticle(connection, id);
                        allTaken.await(30, TimeUnit.SECONDS);
                        feed.publish(Post.of("bob", id, 1_767_225_600_000L), JdbcTransaction.of(connection));
                        connection.commit();
                    }
                    return null;
                }));
            }
            for (Future<?> each : published) {
                each.get();
            }
            assertThat(feed.readAuthor("bob", PageRequest.first(posts)).items()).hasSize(posts);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void insertArticle(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO article (id) VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @Timeout(30)
    @DisplayName("a policy gets all answers on the transaction's own connection, whether they are cached or not")
    void oneConnection(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind);
                HikariDataSource pool = pool(database, 1, 250);
                JdbcFeedStore store = store(database, pool);
                FeedEngine other =
                        engine(database, store).policy(FanoutPolicy.pull()).build()) {
            Curious policy = new Curious();
            try (FeedEngine feed = engine(database, store).policy(policy).build()) {
                transactional(feed, pool, post(database, "bob", "1"));
                assertThat(policy.told).last().isEqualTo(new Told(0, FanoutMode.PUSH, Duration.ZERO));

                other.fanout().drain();
                ((WritableFollowGraph) store.graph()).add(List.of(new Edge("ann", "bob"), new Edge("cat", "bob")));
                other.publish(post(database, "bob", "2"));
                transactional(feed, pool, post(database, "bob", "3"));
                assertThat(policy.told).last().isEqualTo(new Told(2, FanoutMode.PULL, Duration.ZERO));

                database.clock().advance(Duration.ofSeconds(20));
                transactional(feed, pool, post(database, "bob", "4"));
                assertThat(policy.told).last().isEqualTo(new Told(2, FanoutMode.PULL, Duration.ofSeconds(20)));

                other.usePolicy(FanoutPolicy.push());
                other.publish(post(database, "bob", "5"));
                other.fanout().drain();
                database.clock().advance(Duration.ofSeconds(20));
                other.fanout().drain();
                transactional(feed, pool, post(database, "bob", "6"));
                assertThat(policy.told).last().isEqualTo(new Told(2, FanoutMode.PUSH, Duration.ZERO));
                other.fanout().drain();
                assertThat(feed.read("ann", FIRST).items()).hasSize(6);
            }
        }
    }

    private static void transactional(FeedEngine feed, DataSource pool, Post post) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            publish(feed, connection, post);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @Timeout(30)
    @DisplayName("an open transaction blocks nobody after a policy has asked something in it")
    void nobodyWaits(Kind kind) throws SQLException {
        for (int isolation : List.of(
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE)) {
            try (TestDatabase database = TestDatabase.of(kind);
                    HikariDataSource pool = pool(database, 4, 5000);
                    JdbcFeedStore store = JdbcFeedStore.builder(pool)
                            .clock(database.clock())
                            .timeout(Duration.ofSeconds(2))
                            .maintenanceInterval(Duration.ZERO)
                            .build();
                    FeedEngine feed =
                            engine(database, store).policy(new Curious()).build();
                    FeedEngine other =
                            engine(database, store).policy(FanoutPolicy.pull()).build();
                    Connection connection = pool.getConnection()) {
                other.follow("ann", "bob");
                other.publish(post(database, "bob", "1"));
                other.publish(post(database, "cat", "1"));
                connection.setTransactionIsolation(isolation);
                connection.setAutoCommit(false);
                feed.publish(post(database, "bob", "2"), JdbcTransaction.of(connection));
                other.follow("dan", "bob");
                other.delete("bob", "1");
                other.publish(post(database, "bob", "3"));
                assertThat(other.fanout().drain()).isGreaterThan(0);
                connection.commit();
                other.fanout().drain();
                assertThat(other.read("ann", FIRST).items())
                        .extracting(Post::id)
                        .containsExactlyInAnyOrder("2", "3");
            }
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a graph in another database than the posts is read there")
    void graphElsewhere() throws SQLException {
        try (TestDatabase posts = TestDatabase.of(Kind.H2);
                TestDatabase edges = TestDatabase.of(Kind.H2)) {
            ((WritableFollowGraph) edges.store().graph()).add(List.of(new Edge("ann", "bob")));
            FeedStore store = FeedStore.of(
                    posts.store().outbox(),
                    posts.store()::inbox,
                    edges.store().graph(),
                    posts.store().seenMarks());
            Curious policy = new Curious();
            try (FeedEngine feed = engine(posts, store).policy(policy).build()) {
                transactional(feed, posts.dataSource(), post(posts, "bob", "1"));
            }
            assertThat(policy.told).extracting(Told::followers).containsExactly(1L);
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a transaction of another backend is refused, and the message names the kind that is needed")
    void anotherBackend() {
        try (TestDatabase database = TestDatabase.of(Kind.H2);
                FeedEngine feed = engine(database, database.store()).build()) {
            assertThatThrownBy(() -> feed.publish(
                            post(database, "bob", "1"),
                            InMemoryFeedStore.create(database.clock()).begin()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("transaction must be a JdbcTransaction on the database of the posts,"
                            + " but is of type InMemoryTransaction");
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a policy's read that fails in the transaction is a typed failure, and nothing is written")
    void failedQuestion(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind);
                FeedEngine feed = engine(database, database.store())
                        .policy(FanoutPolicy.hybrid(10))
                        .build();
                Connection connection = database.dataSource().getConnection()) {
            execute(database.dataSource(), "ALTER TABLE feedkit_follow_count RENAME TO away");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> feed.publish(post(database, "bob", "1"), JdbcTransaction.of(connection)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("graph.counts");
            connection.rollback();
            assertThat(feed.readAuthor("bob", FIRST).items()).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("an author sees the new post as soon as the transaction commits, on the engine that published it")
    void ownPost(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.of(kind);
                FeedEngine feed =
                        engine(database, database.store()).ownPosts(true).build()) {
            feed.read("bob", FIRST);
            List<Post> committed = new ArrayList<>();
            for (int i : IntStream.range(0, 20).toArray()) {
                Post post = post(database, "bob", "post-" + i);
                try (Connection connection = database.dataSource().getConnection()) {
                    connection.setAutoCommit(false);
                    feed.publish(post, JdbcTransaction.of(connection));
                    assertThat(feed.read("bob", FIRST).items())
                            .as("before the commit")
                            .doesNotContain(post);
                    if (i % 4 == 3) {
                        connection.rollback();
                    } else {
                        connection.commit();
                        committed.add(post);
                    }
                }
                assertThat(feed.read("bob", FIRST).items()).containsExactlyInAnyOrderElementsOf(committed);
            }
        }
    }
}
