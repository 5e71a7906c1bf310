package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.NOTHING;
import static io.feedkit.spring.host.HostApplication.SQL;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.PublishTransaction;
import io.feedkit.counter.Reactions;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.micrometer.FeedMetrics;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spring.SpringTransactions;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("Beans of the application")
@ExtendWith(OutputCaptureExtension.class)
class OwnBeansTest {

    private static final PageRequest FIRST = PageRequest.first(10);

    private static int rows(AssertableApplicationContext context, String table) {
        return context.getBean(JdbcClient.class)
                .sql("select count(*) from " + table)
                .query(Integer.class)
                .single();
    }

    private static void rollBack(AssertableApplicationContext context, Runnable action) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            action.run();
            status.setRollbackOnly();
        });
    }

    @Test
    @DisplayName("such as an own store in SQL have counters in SQL, and its publishes join transactions")
    void storeInSql() {
        runner(SQL).withUserConfiguration(StoreInSql.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            rollBack(context, () -> feed.publish("bob", "one"));
            assertThat(rows(context, "own_post")).isZero();
            feed.publish("bob", "two");
            assertThat(rows(context, "own_post")).isEqualTo(1);
            context.getBean(Reactions.class).add("ann", "two");
            assertThat(context.getBean(CounterStore.class)).isInstanceOf(JdbcCounterStore.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class StoreInSql {
        @Bean
        FeedStore ownStore(DataSource dataSource) {
            JdbcSchema.of(dataSource, "", "own_").upgrade();
            return JdbcFeedStore.builder(dataSource).prefix("own_").build();
        }
    }

    @Test
    @DisplayName("such as an own store in memory leave transactions alone")
    void storeInMemory() {
        runner(SQL).withBean(FeedStore.class, InMemoryFeedStore::create).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            rollBack(context, () -> feed.publish("bob", "one"));
            assertThat(feed.readAuthor("bob", FIRST).items()).hasSize(1);
            assertThat(context.getBean(CounterStore.class))
                    .as("FeedKit makes no tables in a database that its store does not use")
                    .isInstanceOf(InMemoryCounterStore.class);
        });
    }

    @Test
    @DisplayName("such as an own store without a database have counters in memory, which is logged as a warning")
    void countersInMemory(CapturedOutput output) {
        runner(NOTHING).withBean(FeedStore.class, InMemoryFeedStore::create).run(context -> {
            context.getBean(Reactions.class).add("ann", "one");
            assertThat(context.getBean(CounterStore.class)).isInstanceOf(InMemoryCounterStore.class);
        });
        assertThat(output).contains("WARN").contains("define a CounterStore bean");
    }

    @Test
    @DisplayName("such as an own engine may take the transactions of Spring")
    void engine() {
        runner(SQL).withUserConfiguration(StoreInSql.class, OwnEngine.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            assertThat(feed.toString()).contains("own-engine");
            rollBack(context, () -> feed.publish("bob", "one"));
            assertThat(feed.readAuthor("bob", FIRST).items()).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine {
        @Bean
        FeedEngine ownEngine(FeedStore store, SpringTransactions transactions) {
            return FeedEngine.builder(store)
                    .name("own-engine")
                    .transactions(transactions)
                    .build();
        }
    }

    @Test
    @DisplayName("are used for counters, live feeds, presence and transactions")
    void parts() {
        InMemoryCounterStore counters = InMemoryCounterStore.create();
        InMemoryPresenceStore presence = InMemoryPresenceStore.create();
        LiveBus bus = InMemoryLiveBus.create();
        PublishTransaction.Current none = new NoTransactions();
        runner(SQL)
                .withBean(CounterStore.class, () -> counters)
                .withBean(PresenceStore.class, () -> presence)
                .withBean(LiveBus.class, () -> bus)
                .withBean(PublishTransaction.Current.class, () -> none)
                .run(context -> {
                    assertThat(context.getBean(CounterStore.class)).isSameAs(counters);
                    assertThat(context.getBean(PresenceStore.class)).isSameAs(presence);
                    assertThat(context.getBean(LiveBus.class)).isSameAs(bus);
                    assertThat(context).doesNotHaveBean(SpringTransactions.class);
                    FeedEngine feed = context.getBean(FeedEngine.class);
                    rollBack(context, () -> feed.publish("bob", "one"));
                    assertThat(feed.readAuthor("bob", FIRST).items())
                            .as("nothing joins")
                            .hasSize(1);
                });
    }

    private static final class NoTransactions implements PublishTransaction.Current {
        @Override
        public Optional<PublishTransaction> find() {
            return Optional.empty();
        }

        @Override
        public boolean afterCommit(Runnable action) {
            return false;
        }
    }

    @Test
    @DisplayName("share presence unless a property says otherwise")
    void presence() {
        runner(NOTHING).run(context -> assertThat(context).hasSingleBean(PresenceStore.class));
        runner(NOTHING)
                .withPropertyValues("feedkit.presence.shared=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PresenceStore.class));
    }

    @Test
    @DisplayName("say where Redis is: RedisServers before a property, and that before a RedisURI")
    void redis() {
        RedisServers own = RedisServers.at("redis://127.0.0.1:6001");
        runner(NOTHING)
                .withBean(RedisServers.class, () -> own)
                .withPropertyValues("feedkit.redis.uri=redis://127.0.0.1:6002", "feedkit.store=memory")
                .run(context -> assertThat(context.getBean(RedisServers.class)).isSameAs(own));
        runner(NOTHING)
                .withBean(RedisURI.class, () -> RedisURI.create("redis://127.0.0.1:6003"))
                .withPropertyValues("feedkit.redis.uri=redis://127.0.0.1:6002", "feedkit.store=memory")
                .run(context -> assertThat(context.getBean(RedisServers.class)).hasToString("127.0.0.1:6002"));
        runner(NOTHING)
                .withBean(RedisURI.class, () -> RedisURI.create("redis://127.0.0.1:6003"))
                .withPropertyValues("feedkit.store=memory")
                .run(context -> assertThat(context.getBean(RedisServers.class)).hasToString("127.0.0.1:6003"));
    }

    @Test
    @DisplayName("may be metrics that the application has connected itself")
    void metrics() {
        runner(NOTHING)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withUserConfiguration(OwnMetrics.class)
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("feedkit.live.subscribers")
                                .gauge()
                                .value())
                        .isZero());
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMetrics {
        @Bean
        FeedMetrics ownMetrics(MeterRegistry registry) {
            return FeedMetrics.create(registry);
        }

        @Bean
        Object watching(FeedMetrics metrics, FeedEngine feed) {
            metrics.watch(feed);
            return "watching";
        }
    }

    @Test
    @DisplayName("may wrap the data source in Spring's proxies")
    void proxies() {
        runner(named("pool")).withUserConfiguration(Proxied.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            rollBack(context, () -> feed.publish("bob", "one"));
            assertThat(feed.readAuthor("bob", FIRST).items()).isEmpty();
        });
    }

    private static String[] named(String dataSource) {
        List<String> properties = new ArrayList<>(List.of(HostApplication.SQL_WITHOUT_JPA));
        properties.set(0, properties.get(0) + "," + HostApplication.JOOQ);
        properties.add("feedkit.jdbc.data-source=" + dataSource);
        return properties.toArray(String[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxied {
        @Bean
        DataSource pool() {
            return new DriverManagerDataSource("jdbc:h2:mem:proxied;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        DataSource lazy(@Qualifier("pool") DataSource pool) {
            return new LazyConnectionDataSourceProxy(pool);
        }

        @Bean
        PlatformTransactionManager manager(DataSource lazy) {
            return new DataSourceTransactionManager(lazy);
        }
    }

    @Test
    @DisplayName("may be transactions on another data source: the first is logged as a warning")
    void otherDataSource(CapturedOutput output) {
        runner(named("pool")).withUserConfiguration(Other.class).run(context -> {
            FeedEngine feed = context.getBean(FeedEngine.class);
            rollBack(context, () -> feed.publish("bob", "one"));
            rollBack(context, () -> feed.publish("bob", "two"));
            assertThat(feed.readAuthor("bob", FIRST).items()).hasSize(2);
        });
        assertThat(output.toString().split("which it cannot join", -1)).hasSize(2);
    }

    @Configuration(proxyBeanMethods = false)
    static class Other {
        @Bean
        DataSource pool() {
            return new DriverManagerDataSource("jdbc:h2:mem:mine;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        DataSource other() {
            return new DriverManagerDataSource("jdbc:h2:mem:other;DB_CLOSE_DELAY=-1");
        }

        @Bean
        PlatformTransactionManager manager(DataSource other) {
            return new DataSourceTransactionManager(other);
        }
    }

    @Test
    @DisplayName("are not needed for JSON: pages work without Jackson")
    void withoutJackson() {
        runner(NOTHING)
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(FeedEngine.class));
    }
}
