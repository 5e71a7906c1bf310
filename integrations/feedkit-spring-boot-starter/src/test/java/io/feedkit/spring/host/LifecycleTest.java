package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.EngineClosedException;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("Workers")
class LifecycleTest {

    @Test
    @DisplayName("start when all beans are ready")
    void start() {
        runner(SQL).withUserConfiguration(Early.class).run(context -> {
            Early early = context.getBean(Early.class);
            await().until(() -> !early.delivered.isEmpty());
            assertThat(early.delivered).containsOnly("after all beans were ready");
        });
    }

    @Configuration
    static class Early {

        private final List<String> delivered = new CopyOnWriteArrayList<>();
        private volatile String now = "before all beans were ready";

        @Bean
        FeedListener listener() {
            return new FeedListener() {
                @Override
                public void delivered(PostDelivered event) {
                    delivered.add(now);
                }
            };
        }

        @Bean
        SmartInitializingSingleton publishesEarly(FeedEngine feed) {
            return () -> {
                feed.follow("ann", "bob");
                feed.read("ann", PageRequest.first(10));
                feed.publish("bob", "one");
                sleep(Duration.ofMillis(700));
                now = "after all beans were ready";
            };
        }

        private static void sleep(Duration time) {
            await().pollDelay(time).until(() -> true);
        }
    }

    @Test
    @DisplayName("none run on a node with workers=0")
    void none() {
        runner(SQL).withPropertyValues("feedkit.workers=0").run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            feed.follow("ann", "bob");
            feed.read("ann", PageRequest.first(10));
            feed.publish("bob", "one");
            await().during(Duration.ofMillis(600))
                    .until(() -> feed.fanout().backlog().tasks() == 1);
        });
    }

    @Test
    @DisplayName("stop with the engine before the pool of the database is closed")
    void stop() {
        AtomicReference<FeedEngine> engine = new AtomicReference<>();
        AtomicReference<Boolean> poolClosed = new AtomicReference<>();
        runner(SQL).withUserConfiguration(Watched.class).run(context -> {
            engine.set(context.getBean(FeedEngine.class));
            HikariDataSource pool = (HikariDataSource) context.getBean(DataSource.class);
            context.getBean(Watched.class).whenDestroyed = () -> poolClosed.set(pool.isClosed());
        });
        assertThatThrownBy(() -> engine.get().publish("bob", "late")).isInstanceOf(EngineClosedException.class);
        assertThat(poolClosed.get())
                .as("closed before a bean that the engine uses")
                .isFalse();
    }

    @Configuration
    static class Watched {

        private Runnable whenDestroyed = () -> {};

        /** Is created before the engine, and so destroyed after it. */
        @Bean
        FeedListener watchedListener(DataSource pool) {
            return new ClosingListener(() -> whenDestroyed.run());
        }
    }

    private record ClosingListener(Runnable action) implements FeedListener, AutoCloseable {
        @Override
        public void close() {
            action.run();
        }
    }
}
