package io.feedkit.tools.parts;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Engines called from virtual threads. Prints how often one pinned its carrier for 20 ms or longer. */
@Tag("concurrency")
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(120)
@DisplayName("From virtual threads")
class VirtualThreadsTest {

    private static final int THREADS = 500;
    private static final int CONNECTIONS = 8;
    private static final Duration PINNED = Duration.ofMillis(20);

    @TempDir
    private Path directory;

    @Test
    @DisplayName("feeds in memory are published to, read and counted")
    void memory() throws Exception {
        check("memory", InMemoryFeedStore.create());
    }

    @Test
    @DisplayName("feeds in SQL are published to, read and counted, with fewer connections than threads")
    void sql() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().createDatabase());
        config.setMaximumPoolSize(CONNECTIONS);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
            try (JdbcFeedStore store =
                    JdbcFeedStore.builder(pool).timeout(Duration.ofMinutes(1)).build()) {
                check("sql", store);
            }
        }
    }

    @Test
    @DisplayName("feeds in Redis are published to, read and counted")
    void redis() throws Exception {
        RedisServers servers = RedisServers.at(RedisServer.shared().uri() + "/7");
        try (RedisFeedStore store =
                RedisFeedStore.builder(servers).timeout(Duration.ofMinutes(1)).build()) {
            check("redis", store);
        }
    }

    /** Each thread is a reader who follows one author, and publishes as this author. */
    private void check(String name, FeedStore store) throws Exception {
        try (Recording recording = new Recording();
                FeedEngine engine = FeedEngine.builder(store).workers(2).build()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(PINNED);
            recording.start();
            use(engine);
            recording.stop();
            Path events = directory.resolve("pinned.jfr");
            recording.dump(events);
            engine.fanout().drain();
            assertThat(IntStream.range(0, THREADS).mapToObj(i -> "reader" + i)).allSatisfy(reader -> {
                assertThat(engine.read(reader, PageRequest.first(10)).items()).hasSize(1);
                assertThat(engine.unread(reader).count()).isEqualTo(1);
            });
            System.out.printf(
                    "%s: %d virtual threads, pinned for %s or longer: %d%n",
                    name, THREADS, PINNED, RecordingFile.readAllEvents(events).size());
        }
    }

    private static void use(FeedEngine engine) throws Exception {
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            List<Future<List<Post>>> pages = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String reader = "reader" + i;
                String author = "author" + i;
                pages.add(threads.submit(() -> {
                    engine.follow(reader, author);
                    engine.read(reader, PageRequest.first(10));
                    engine.publish(author, "post");
                    engine.unread(reader);
                    return engine.read(reader, PageRequest.first(10)).items();
                }));
            }
            for (Future<List<Post>> page : pages) {
                assertThat(page.get(1, TimeUnit.MINUTES)).hasSizeLessThanOrEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
