package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.micrometer.FeedMetrics;
import io.feedkit.micrometer.FeedObservations;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Meters and observations of the engine, if {@code feedkit-micrometer} is on the class path and the application has
 * registries, as with Spring Boot's actuator.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        after = {FeedKitAutoConfiguration.class, FeedKitCountersAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(FeedMetrics.class)
public class FeedKitMetricsAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitMetricsAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {

        /** Of the counts that need calls to the store. */
        private static final Duration REFRESH = Duration.ofMinutes(1);

        /** The engine has it as a listener, so it is closed after the engine. All nodes count the same backlog. */
        @Bean
        @ConditionalOnMissingBean
        FeedMetrics feedKitMetrics(MeterRegistry registry) {
            return FeedMetrics.builder(registry).refreshInterval(REFRESH).build();
        }

        @Bean
        SmartInitializingSingleton feedKitGauges(ObjectProvider<FeedMetrics> metrics, ObjectProvider<FeedEngine> feed) {
            return () -> metrics.ifUnique(meters -> feed.ifUnique(meters::watch));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnClass(WriteBehindCounterStore.class)
    @ConditionalOnProperty(name = "feedkit.counters.store", havingValue = "write-behind")
    static class WriteBehind {

        /** Metrics of the application's own watch counters when the application says so. */
        @Bean
        @ConditionalOnBean(name = "feedKitMetrics")
        SmartInitializingSingleton feedKitCounterMeters(FeedMetrics metrics, ObjectProvider<CounterStore> counters) {
            return () -> counters.ifUnique(store -> {
                if (store instanceof WriteBehindCounterStore behind) {
                    metrics.watchCounters(behind::status);
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean
        FeedObservations feedKitObservations(ObservationRegistry registry) {
            return FeedObservations.create(registry);
        }
    }
}
