package io.feedkit.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
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
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
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
@DisplayName("verify, beside three engines that publish, delete, follow, unfollow and read, finds only what is wrong")
class VerifyUnderLoadTest {

    private static final int READERS = 30;
    private static final int SMALL_AUTHORS = 8;
    private static final String STAR = "star";
    private static final String LONE = "lone";
    private static final String SILENT = "silent";
    private static final int CAP = 40;

    /** Much longer than a call of this test takes, and much shorter than a lease. */
    private static final VerifyRequest FAST =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ofMillis(500));

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger published = new AtomicInteger();
    private final List<FeedEngine> engines = new ArrayList<>();

    @Test
    @DisplayName("in memory")
    void memory() throws Exception {
        check(InMemoryFeedStore.create());
    }

    @Test
    @DisplayName("in PostgreSQL")
    void sql() throws Exception {
        try (HikariDataSource pool = RunTables.pool(PostgresServer.shared().createDatabase(), 20)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore store = JdbcFeedStore.create(pool)) {
                check(store);
            }
        }
    }

    @Test
    @DisplayName("in Redis")
    void redis() throws Exception {
        try (RedisFeedStore store = RedisFeedStore.builder(
                        RedisServers.at(RedisServer.shared().uri()))
                .prefix("verify-load-" + System.nanoTime())
                .build()) {
            check(store);
        }
    }

    @Test
    @DisplayName("in Redis over PostgreSQL")
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
            prepare(store);
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int seed = i;
                load.add(threads.submit(() -> publish(seed)));
                load.add(threads.submit(() -> follow(seed)));
            }
            load.add(threads.submit(this::read));
            VerifyReport report = engines.get(0).verify(FAST.repair(true));
            isOver.set(true);
            for (Future<?> thread : load) {
                thread.get(60, TimeUnit.SECONDS);
            }
            assertThat(published).as("posts published meanwhile").hasValueGreaterThan(50);
            assertThat(report.checked().get(Stage.INBOXES)).isGreaterThan(READERS);
            List<Finding> findings = withoutLatePushes(report);
            assertThat(findings).hasSize(1);
            Finding finding = findings.get(0);
            assertThat(finding.kind()).isEqualTo(FindingKind.POST_MISSING);
            assertThat(finding.reader()).hasValue(LONE);
            assertThat(finding.repair()).isEqualTo(Repair.DONE);
            engines.get(0).fanout().drain();
            assertThat(withoutLatePushes(engines.get(1).verify(FAST))).isEmpty();
        } finally {
            isOver.set(true);
            threads.shutdownNow();
            engines.forEach(FeedEngine::close);
        }
    }

    /**
     * Every author keeps a follower, and every pulled author keeps posts, so that no register entry is in vain. A
     * reader who follows only a silent author misses the author's post.
     */
    private void prepare(FeedStore store) {
        FeedEngine engine = engines.get(0);
        for (int i = 0; i < READERS; i++) {
            engine.followAll("reader" + i, List.of(STAR, "small" + i % SMALL_AUTHORS));
            engine.read("reader" + i, PageRequest.first(5));
        }
        engine.publish(STAR, "first");
        engine.follow(LONE, SILENT);
        engine.read(LONE, PageRequest.first(5));
        Post post = engine.publish(SILENT, "only").post();
        engine.fanout().drain();
        store.inbox(new InboxLimits(CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()))
                .retract(List.of(new Retraction(post, List.of(LONE))));
    }

    /** A push that overlaps an unfollow may leave a post in the inbox, which pages hide. No load finds more. */
    private static List<Finding> withoutLatePushes(VerifyReport report) {
        return report.findings().stream()
                .filter(finding -> finding.kind() != FindingKind.POST_NOT_FOLLOWED)
                .toList();
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
}
