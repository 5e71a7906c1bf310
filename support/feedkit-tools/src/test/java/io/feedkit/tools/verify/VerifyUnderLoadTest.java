package io.feedkit.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@Timeout(120)
@DisplayName("verify, beside three engines that publish, delete, follow, unfollow and read")
class VerifyUnderLoadTest {

    private static final int READERS = 30;
    private static final int SMALL_AUTHORS = 8;
    private static final String STAR = "star";
    private static final int RUNS = 3;
    private static final int CAP = 40;

    /** Much longer than a call of this test takes, and much shorter than a lease. */
    private static final VerifyRequest FAST =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ofMillis(500));

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger published = new AtomicInteger();
    private final List<FeedEngine> engines = new ArrayList<>();

    @Test
    @DisplayName("has no findings in memory")
    void memory() throws Exception {
        check(InMemoryFeedStore.create());
    }

    @Test
    @DisplayName("has no findings in PostgreSQL")
    void sql() throws Exception {
        try (HikariDataSource pool = RunTables.pool(PostgresServer.shared().createDatabase(), 20)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore store = JdbcFeedStore.create(pool)) {
                check(store);
            }
        }
    }

    @Test
    @DisplayName("has no findings in Redis")
    void redis() throws Exception {
        try (RedisFeedStore store = RedisFeedStore.builder(
                        RedisServers.at(RedisServer.shared().uri()))
                .prefix("verify-load-" + System.nanoTime())
                .build()) {
            check(store);
        }
    }

    @Test
    @DisplayName("has no findings in Redis over PostgreSQL")
    void redisOverSql() throws Exception {
        try (HikariDataSource pool = RunTables.pool(PostgresServer.shared().createDatabase(), 20)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore sql = JdbcFeedStore.create(pool);
                    RedisInboxes inboxes = RedisInboxes.builder(
                                    RedisServers.at(RedisServer.shared().uri()))
                            .prefix("verify-load-" + System.nanoTime())
                            .build()) {
                check(FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks()));
            }
        }
    }

    private void check(FeedStore store) throws Exception {
        for (int i = 0; i < 3; i++) {
            engines.add(FeedEngine.builder(store)
                    .policy(FanoutPolicy.hybrid(READERS))
                    .cap(CAP)
                    .build());
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            prepare();
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int seed = i;
                load.add(threads.submit(() -> publish(seed)));
                load.add(threads.submit(() -> follow(seed)));
            }
            load.add(threads.submit(this::read));
            List<VerifyReport> reports = new ArrayList<>();
            for (int run = 0; run < RUNS; run++) {
                reports.add(engines.get(run).verify(FAST));
            }
            isOver.set(true);
            for (Future<?> thread : load) {
                thread.get(60, TimeUnit.SECONDS);
            }
            for (VerifyReport report : reports) {
                assertThat(report.findings()).isEmpty();
                assertThat(report.isStopped()).isFalse();
                assertThat(report.checked().get(Stage.INBOXES)).isGreaterThanOrEqualTo(READERS);
            }
            assertThat(published).as("posts published meanwhile").hasValueGreaterThan(50);
            assertFindsHole(store);
        } finally {
            isOver.set(true);
            threads.shutdownNow();
            engines.forEach(FeedEngine::close);
        }
    }

    /** Every author keeps a follower, and every pulled author keeps posts, so that no register entry is in vain. */
    private void prepare() {
        FeedEngine engine = engines.get(0);
        for (int i = 0; i < READERS; i++) {
            engine.followAll("reader" + i, List.of(STAR, "small" + i % SMALL_AUTHORS));
            engine.read("reader" + i, PageRequest.first(5));
        }
        engine.publish(STAR, "first");
    }

    private void publish(int seed) {
        Random random = new Random(seed);
        FeedEngine engine = engines.get(seed);
        for (int i = 0; !isOver.get(); i++) {
            String author = random.nextInt(4) == 0 ? STAR : "small" + random.nextInt(SMALL_AUTHORS);
            engine.publish(author, "p" + seed + "-" + i);
            published.incrementAndGet();
            if (random.nextInt(3) == 0) {
                engine.delete("small" + random.nextInt(SMALL_AUTHORS), "p" + seed + "-" + random.nextInt(i + 1));
            }
        }
    }

    private void follow(int seed) {
        Random random = new Random(100 + seed);
        FeedEngine engine = engines.get(seed);
        while (!isOver.get()) {
            int reader = random.nextInt(READERS);
            int author = random.nextInt(SMALL_AUTHORS);
            if (reader % SMALL_AUTHORS != author) {
                if (random.nextBoolean()) {
                    engine.follow("reader" + reader, "small" + author);
                } else {
                    engine.unfollow("reader" + reader, "small" + author);
                }
            }
        }
    }

    private void read() {
        Random random = new Random(1);
        while (!isOver.get()) {
            engines.get(random.nextInt(3)).read("reader" + random.nextInt(READERS), PageRequest.first(10));
        }
    }

    /** So that a run without findings shows something. */
    private void assertFindsHole(FeedStore store) {
        FeedEngine engine = engines.get(0);
        engine.fanout().drain();
        engine.publish("small0", "last");
        engine.fanout().drain();
        Post last = engine.read("reader0", PageRequest.first(1)).items().get(0);
        assertThat(last.id()).isEqualTo("last");
        Inbox inbox = store.inbox(new InboxLimits(CAP, Duration.ofDays(7).toMillis()));
        inbox.retract(List.of(new Retraction(last, List.of("reader0"))));
        assertThat(engine.verify(FAST.repair(true)).counts()).containsOnlyKeys(FindingKind.POST_MISSING);
        assertThat(engine.verify(FAST).findings()).isEmpty();
    }
}
