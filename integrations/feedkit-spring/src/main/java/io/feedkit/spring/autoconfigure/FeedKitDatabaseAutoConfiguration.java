package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.FeedStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.SpringTransactions;
import io.feedkit.spring.internal.schema.FlywayTool;
import io.feedkit.spring.internal.schema.LiquibaseTool;
import io.feedkit.spring.internal.schema.SchemaSetup;
import io.feedkit.spring.internal.schema.SchemaTool;
import io.feedkit.spring.internal.store.DataSources;
import io.feedkit.spring.internal.store.Database;
import io.feedkit.spring.internal.store.HostPersistence;
import io.feedkit.spring.internal.store.JpaPersistence;
import io.feedkit.spring.internal.store.StoreParts;
import jakarta.persistence.EntityManagerFactory;
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
 * The application's database: which data source it is, FeedKit's tables in it, and the transactions that publishes
 * join. A store, an engine or counters of the application's own find it here, too.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
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
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitDatabaseAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitDatabaseAutoConfiguration() {}

    /** After the migrations of the application: its own tables of posts and follows must exist. */
    @Bean
    @DependsOnDatabaseInitialization
    Database feedKitDatabase(
            FeedKitProperties properties,
            ListableBeanFactory beans,
            ObjectProvider<SchemaTool> schemaTools,
            ObjectProvider<HostPersistence> persistence) {
        return new Database(
                () -> DataSources.find(properties, beans),
                persistence.getIfAvailable(() -> HostPersistence.NONE),
                new SchemaSetup(properties, schemaTools.orderedStream().findFirst()));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConnectionHolder.class)
    static class Transactions {

        /** Transaction managers need it, and a follow graph may need a transaction manager: it gets the store later. */
        @Bean
        @ConditionalOnMissingBean(PublishTransaction.Current.class)
        SpringTransactions feedKitTransactions(
                ObjectProvider<StoreParts> parts,
                ObjectProvider<FeedStore> stores,
                ObjectProvider<Database> database,
                ObjectProvider<HostPersistence> persistence) {
            SingletonSupplier<Optional<DataSource>> dataSource = SingletonSupplier.of(() -> {
                StoreParts ours = parts.getIfAvailable();
                return ours == null ? ofHost(stores.getIfUnique(), database.getObject()) : ours.dataSource();
            });
            SingletonSupplier<HostPersistence> host =
                    SingletonSupplier.of(() -> persistence.getIfAvailable(() -> HostPersistence.NONE));
            return new SpringTransactions(
                    dataSource::obtain, () -> host.obtain().flush());
        }

        /** The data source of an application with its own store; empty if that cannot join its transactions. */
        private static Optional<DataSource> ofHost(@Nullable FeedStore store, Database database) {
            return Database.isOf(store) ? database.find() : Optional.empty();
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
    @ConditionalOnSingleCandidate(SpringLiquibase.class)
    static class WithLiquibase {

        @Bean
        SchemaTool feedKitLiquibase(SpringLiquibase liquibase) {
            return new LiquibaseTool(liquibase);
        }
    }
}
