package io.feedkit.tools.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.ForeignStoreException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Two deployments, each with a database of its own, on one Redis")
@Timeout(120)
class TwoDeploymentsTest {

    private static final PageRequest FIRST = PageRequest.first(10);
    private static final String FORMAT = "feedkit:{t0}:format";

    private final RedisServer redis = RedisServer.start(Durability.DURABLE);

    @AfterEach
    void close() {
        redis.close();
    }

    static Stream<Arguments> databases() {
        Supplier<String> h2 = TwoDeploymentsTest::h2;
        Supplier<String> postgres = () -> PostgresServer.shared().createDatabase();
        return Stream.of(Arguments.of("H2", h2), Arguments.of("PostgreSQL", postgres));
    }

    private static String h2() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private static JdbcFeedStore database(String url) {
        try (HikariDataSource source = new HikariDataSource()) {
            source.setJdbcUrl(url);
            JdbcSchema.of(source).create();
        }
        return JdbcFeedStore.builder(url).poolSize(4).build();
    }

    private static JdbcCounterStore counters(DataSource source) {
        return JdbcCounterStore.builder(source)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private static DataSource h2Source(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        return source;
    }

    private RedisInboxes inboxes() {
        return RedisInboxes.create(RedisServers.at(redis.uri()));
    }

    private static FeedStore store(JdbcFeedStore sql, RedisInboxes inboxes) {
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
    }

    private static FeedEngine engine(JdbcFeedStore sql, RedisInboxes inboxes) {
        return FeedEngine.builder(store(sql, inboxes)).workers(0).build();
    }

    /** Makes a feed with one post in a live inbox. */
    private static Post fill(FeedEngine feed) {
        feed.follow("ann", "bob");
        assertThat(feed.read("ann", FIRST).items()).isEmpty();
        Post post = feed.publish("bob", "1").post();
        feed.fanout().drain();
        return post;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    @DisplayName("do not mix their feeds: the second is refused at its start, which names both and says what to do")
    void refused(String name, Supplier<String> url) {
        try (JdbcFeedStore production = database(url.get());
                JdbcFeedStore staging = database(url.get());
                RedisInboxes inboxes = inboxes()) {
            try (FeedEngine feed = engine(production, inboxes)) {
                fill(feed);
            }
            assertThatThrownBy(() -> engine(staging, inboxes))
                    .isInstanceOfSatisfying(ForeignStoreException.class, e -> {
                        assertThat(e.place()).contains(FORMAT);
                        assertThat(e.found()).isEqualTo(production.outbox().identity());
                        assertThat(e.expected()).isEqualTo(staging.outbox().identity());
                    })
                    .hasMessageContainingAll("another prefix", "RedisInboxes.Builder.adopt", "docs/operations.md");
            assertThat(redis.ask("HGET", FORMAT, "inbox.identity"))
                    .isEqualTo(production.outbox().identity());
        }
    }

    @Test
    @DisplayName("work beside each other under different prefixes")
    void prefixes() {
        try (JdbcFeedStore production = database(h2());
                JdbcFeedStore staging = database(h2());
                RedisInboxes inboxes = inboxes();
                RedisInboxes others = RedisInboxes.builder(RedisServers.at(redis.uri()))
                        .prefix("staging")
                        .build();
                FeedEngine one = engine(production, inboxes);
                FeedEngine other = engine(staging, others)) {
            Post post = fill(one);
            assertThat(other.read("ann", FIRST).items()).isEmpty();
            Post another = fill(other);
            assertThat(one.read("ann", FIRST).items()).containsExactly(post);
            assertThat(other.read("ann", FIRST).items()).containsExactly(another);
        }
    }

    @Test
    @DisplayName("are one deployment if they use the same tables: feeds and counters of many processes on one prefix")
    void sameTables() {
        String url = h2();
        try (JdbcFeedStore sql = database(url);
                JdbcFeedStore again = JdbcFeedStore.create(h2Source(url));
                RedisInboxes inboxes = inboxes();
                RedisInboxes others = inboxes();
                FeedEngine one = engine(sql, inboxes);
                FeedEngine other = engine(again, others);
                WriteBehindCounterStore counters =
                        WriteBehindCounterStore.create(RedisServers.at(redis.uri()), counters(h2Source(url)));
                WriteBehindCounterStore same =
                        WriteBehindCounterStore.create(RedisServers.at(redis.uri()), counters(h2Source(url)))) {
            Post post = fill(one);
            assertThat(other.read("ann", FIRST).items()).containsExactly(post);
            Counters.of(counters).add("plays", "song", 1);
            assertThat(Counters.of(same).get("plays", "song")).isOne();
        }
    }

    @Test
    @DisplayName("do not mix if the second started without Redis: it reads from its outboxes, and its tasks wait")
    void startedWithout() {
        try (JdbcFeedStore production = database(h2());
                JdbcFeedStore staging = database(h2());
                FaultyProxy proxy = FaultyProxy.before(redis.port())) {
            proxy.refuse();
            try (RedisInboxes late = RedisInboxes.builder(RedisServers.at("redis://127.0.0.1:" + proxy.port()))
                            .startWithoutServer(true)
                            .build();
                    FeedEngine second = engine(staging, late);
                    RedisInboxes inboxes = inboxes();
                    FeedEngine first = engine(production, inboxes)) {
                Post post = fill(first);
                ((WritableFollowGraph) staging.graph()).add(List.of(new Edge("ann", "bob")));
                Post own = second.publish("bob", "own").post();
                proxy.pass();
                await().untilAsserted(() -> assertThatThrownBy(() -> second.follow("ann", "cat"))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(production.outbox().identity()));
                assertThat(second.read("ann", FIRST).items()).containsExactly(own);
                second.fanout().drain();
                assertThat(second.fanout().backlog().tasks()).isOne();
                assertThat(first.read("ann", FIRST).items()).containsExactly(post);
            }
        }
    }

    @Test
    @DisplayName("find an emptied Redis claimed again by the running one, within seconds")
    void emptied() {
        try (JdbcFeedStore production = database(h2());
                JdbcFeedStore staging = database(h2());
                RedisInboxes inboxes = inboxes();
                FeedEngine feed = FeedEngine.builder(store(production, inboxes))
                        .workers(1)
                        .build()) {
            feed.follow("ann", "bob");
            redis.ask("FLUSHALL");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> redis.ask("HGET", FORMAT, "inbox.identity")
                            .equals(production.outbox().identity()));
            assertThatThrownBy(() -> engine(staging, inboxes)).isInstanceOf(ForeignStoreException.class);
        }
    }

    @Test
    @DisplayName("stop using a Redis that was emptied and claimed by the other one, and go on with their outboxes")
    void takenOver() {
        try (JdbcFeedStore production = database(h2());
                JdbcFeedStore staging = database(h2());
                RedisInboxes inboxes = inboxes();
                FeedEngine feed = engine(production, inboxes)) {
            Post post = fill(feed);
            redis.ask("FLUSHALL");
            try (FeedEngine other = engine(staging, inboxes)) {
                fill(other);
                await().untilAsserted(() -> {
                    assertThat(feed.read("ann", FIRST).items()).contains(post);
                    assertThatThrownBy(() -> feed.follow("ann", "cat")).isInstanceOf(StoreUnavailableException.class);
                });
                assertThat(feed.read("ann", FIRST).items()).containsExactly(post);
            }
        }
    }

    @Test
    @DisplayName("do not mix their counters: a cache of another database is refused by name, and can be adopted")
    void counters() {
        RedisServers servers = RedisServers.at(redis.uri());
        try (JdbcFeedStore production = database(h2())) {
            String url = h2();
            try (JdbcFeedStore staging = database(url)) {
                JdbcCounterStore source = counters(h2Source(url));
                assertThat(source.identity()).isEqualTo(staging.outbox().identity());
                WriteBehindCounterStore.create(servers, source).close();
            }
            String other = h2();
            try (JdbcFeedStore another = database(other)) {
                JdbcCounterStore source = counters(h2Source(other));
                assertThatThrownBy(() -> WriteBehindCounterStore.create(servers, source))
                        .isInstanceOf(ForeignStoreException.class)
                        .hasMessageContainingAll(
                                another.outbox().identity(), "another prefix", "WriteBehindCounterStore.Builder.adopt");
                assertThat(WriteBehindCounterStore.builder(servers, source).adopt())
                        .isPresent();
                WriteBehindCounterStore.create(servers, source).close();
            }
            try (RedisInboxes inboxes = inboxes();
                    FeedEngine feed = engine(production, inboxes)) {
                assertThat(feed.read("ann", FIRST).items()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("do not write changes of counters to another database after Redis was emptied and claimed by it")
    void countersTakenOver() {
        RedisServers servers = RedisServers.at(redis.uri());
        String url = h2();
        String other = h2();
        try (JdbcFeedStore one = database(url);
                JdbcFeedStore two = database(other);
                WriteBehindCounterStore counters = WriteBehindCounterStore.builder(servers, counters(h2Source(url)))
                        .flushInterval(Duration.ofDays(1))
                        .build()) {
            assertThat(one.outbox().identity()).isNotEqualTo(two.outbox().identity());
            redis.ask("FLUSHALL");
            try (WriteBehindCounterStore others = WriteBehindCounterStore.create(servers, counters(h2Source(other)))) {
                Counters.of(others).add("plays", "song", 3);
                assertThatThrownBy(counters::flush).isInstanceOf(ForeignStoreException.class);
                assertThatThrownBy(() -> Counters.of(counters).get("plays", "song"))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThatThrownBy(() -> Counters.of(counters).add("plays", "song", 1))
                        .isInstanceOf(StoreUnavailableException.class);
                others.flush();
            }
            assertThat(Counters.of(counters(h2Source(url))).get("plays", "song"))
                    .isZero();
            assertThat(Counters.of(counters(h2Source(other))).get("plays", "song"))
                    .isEqualTo(3);
        }
    }

    @Test
    @DisplayName("come from one database that was copied: the copy gets a new identity, as operations.md says")
    void copied(@TempDir Path directory) throws SQLException {
        String url = h2();
        String copy = h2();
        try (JdbcFeedStore production = database(url);
                RedisInboxes inboxes = inboxes()) {
            try (FeedEngine feed = engine(production, inboxes)) {
                fill(feed);
            }
            copy(url, copy, directory);
            DataSource copied = h2Source(copy);
            // recipe
            JdbcSchema.of(copied).newIdentity();
            // end
            try (JdbcFeedStore staging = JdbcFeedStore.create(copied)) {
                assertThat(staging.outbox().identity())
                        .isNotEqualTo(production.outbox().identity());
                assertThatThrownBy(() -> engine(staging, inboxes)).isInstanceOf(ForeignStoreException.class);
                try (RedisInboxes others = RedisInboxes.builder(RedisServers.at(redis.uri()))
                                .prefix("staging")
                                .build();
                        FeedEngine feed = engine(staging, others)) {
                    assertThat(feed.read("ann", FIRST).items()).hasSize(1);
                }
            }
        }
    }

    @Test
    @DisplayName(
            "are one that was restored: under the same identity nothing is to do, under another inboxes are adopted")
    void restored(@TempDir Path directory) throws SQLException {
        String url = h2();
        String restored = h2();
        RedisServers servers = RedisServers.at(redis.uri());
        Post post;
        try (JdbcFeedStore production = database(url);
                RedisInboxes inboxes = inboxes();
                FeedEngine feed = engine(production, inboxes)) {
            post = fill(feed);
            JdbcCounterStore counters = counters(h2Source(url));
            try (WriteBehindCounterStore behind = WriteBehindCounterStore.create(servers, counters)) {
                Counters.of(behind).add("plays", "song", 1);
            }
        }
        copy(url, restored, directory);
        DataSource source = h2Source(restored);
        try (JdbcFeedStore sql = JdbcFeedStore.create(source);
                RedisInboxes inboxes = inboxes();
                FeedEngine feed = engine(sql, inboxes)) {
            assertThat(feed.read("ann", FIRST).items()).containsExactly(post);
        }
        JdbcSchema.of(source).newIdentity();
        JdbcCounterStore counters = counters(source);
        try (JdbcFeedStore sql = JdbcFeedStore.create(source)) {
            // recipe
            RedisInboxes.builder(servers).adopt(sql.outbox());
            WriteBehindCounterStore.builder(servers, counters).adopt();
            // end
            try (RedisInboxes inboxes = inboxes();
                    FeedEngine feed = engine(sql, inboxes);
                    WriteBehindCounterStore behind = WriteBehindCounterStore.create(servers, counters)) {
                assertThat(feed.read("ann", FIRST).items()).containsExactly(post);
                assertThat(Counters.of(behind).get("plays", "song")).isOne();
            }
        }
    }

    @Test
    @DisplayName("find in operations.md what is tested here")
    void recipes() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "identities.md"));
        String source = Files.readString(Path.of("src/test/java/io/feedkit/tools/parts/TwoDeploymentsTest.java"));
        assertThat(blocks(page, "```java\n(.*?)```"))
                .containsExactlyElementsOf(blocks(source, "// recipe\n(.*?)// end\n"));
    }

    private static List<String> blocks(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1).strip().replaceAll("\\s+", " "))
                .toList();
    }

    private static void copy(String from, String to, Path directory) throws SQLException {
        String file = directory.resolve("backup.sql").toString();
        for (String[] step : List.of(
                new String[] {from, "SCRIPT TO '" + file + "'"}, new String[] {to, "RUNSCRIPT FROM '" + file + "'"})) {
            try (Connection connection = h2Source(step[0]).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(step[1]);
            }
        }
    }
}
