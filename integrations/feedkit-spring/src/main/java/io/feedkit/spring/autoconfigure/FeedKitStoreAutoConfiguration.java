package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.PublishTransaction;
import io.feedkit.live.LiveBus;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.SpringTransactions;
import io.feedkit.spring.internal.schema.FlywayTool;
import io.feedkit.spring.internal.schema.LiquibaseTool;
import io.feedkit.spring.internal.schema.SchemaSetup;
import io.feedkit.spring.internal.schema.SchemaTool;
import io.feedkit.spring.internal.store.DataSources;
import io.feedkit.spring.internal.store.HostPersistence;
import io.feedkit.spring.internal.store.JpaPersistence;
import io.feedkit.spring.internal.store.LiveBuses;
import io.feedkit.spring.internal.store.RedisBackend;
import io.feedkit.spring.internal.store.StoreFactory;
import io.feedkit.spring.internal.store.StoreParts;
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import java.util.Optional;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * The {@link FeedStore}, unless the application defines one, or the engine: in SQL if there is a data source, with
 * inboxes in Redis if its address is known; or in Redis; or in memory. With it come its tables, the transactions that
 * publishes join, its presence and a live bus.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        after = FeedKitRedisAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration",
            "org.springframework.boot.autoconfigure.liquibase.LiquibaseAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration"
        })
@ConditionalOnMissingBean({FeedStore.class, FeedEngine.class})
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitStoreAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitStoreAutoConfiguration() {}

    /** After the migrations of the application: its own tables of posts and follows must exist. */
    @Bean
    @DependsOnDatabaseInitialization
    StoreParts feedKitStoreParts(
            FeedKitProperties properties,
            ListableBeanFactory beans,
            ObjectProvider<RedisBackend> redis,
            ObjectProvider<FollowGraph> graph,
            ObjectProvider<SchemaTool> schemaTools,
            ObjectProvider<HostPersistence> persistence,
            ObjectProvider<Clock> clock) {
        return new StoreFactory(
                        properties,
                        () -> DataSources.find(properties, beans),
                        redis.getIfAvailable(),
                        graph.getIfAvailable(),
                        new SchemaSetup(properties, schemaTools.orderedStream().findFirst()),
                        persistence.getIfAvailable(() -> HostPersistence.NONE),
                        clock.getIfUnique(Clock::systemUTC))
                .create();
    }

    @Bean(destroyMethod = "")
    FeedStore feedKitStore(StoreParts parts) {
        return parts.store();
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "feedkit.presence.shared", matchIfMissing = true)
    PresenceStore feedKitPresenceStore(StoreParts parts) {
        return parts.presence().get();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConnectionHolder.class)
    static class Transactions {

        /** Transaction managers need it, and a follow graph may need a transaction manager: it gets the store later. */
        @Bean
        @ConditionalOnMissingBean(PublishTransaction.Current.class)
        SpringTransactions feedKitTransactions(
                ObjectProvider<StoreParts> parts, ObjectProvider<HostPersistence> persistence) {
            SingletonSupplier<Optional<DataSource>> dataSource =
                    SingletonSupplier.of(() -> parts.getObject().dataSource());
            SingletonSupplier<HostPersistence> host =
                    SingletonSupplier.of(() -> persistence.getIfAvailable(() -> HostPersistence.NONE));
            return new SpringTransactions(
                    dataSource::obtain, () -> host.obtain().flush());
        }

        /** Also registers with managers that the application defines; a second registration changes nothing. */
        @Bean
        SmartInitializingSingleton feedKitTransactionListener(
                ObjectProvider<SpringTransactions> transactions,
                ObjectProvider<ConfigurableTransactionManager> managers) {
            return () ->
                    transactions.ifAvailable(listener -> managers.forEach(manager -> manager.addListener(listener)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({EntityManagerFactory.class, EntityManagerHolder.class})
    @ConditionalOnBean(EntityManagerFactory.class)
    static class Jpa {

        @Bean
        HostPersistence feedKitJpaPersistence(ObjectProvider<EntityManagerFactory> factories) {
            return new JpaPersistence(factories);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flyway.class)
    @ConditionalOnSingleCandidate(Flyway.class)
    static class WithFlyway {

        @Bean
        SchemaTool feedKitFlyway(Flyway flyway) {
            return new FlywayTool(flyway);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SpringLiquibase.class)
    @ConditionalOnBean(SpringLiquibase.class)
    static class WithLiquibase {

        @Bean
        SchemaTool feedKitLiquibase() {
            return new LiquibaseTool();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RedisServers.class)
    static class Redis {

        @Bean
        @ConditionalOnSingleCandidate(RedisServers.class)
        RedisBackend feedKitRedisBackend(FeedKitProperties properties, RedisServers servers) {
            return new RedisBackend(properties, servers);
        }
    }

    /** No bus if the application neither has Redis nor names a bus: engines then poll the store. */
    @Bean
    @ConditionalOnMissingBean(LiveBus.class)
    @Nullable
    LiveBus feedKitLiveBus(FeedKitProperties properties, StoreParts parts, ObjectProvider<RedisBackend> redis) {
        return LiveBuses.choose(properties, parts, redis.getIfAvailable());
    }
}
