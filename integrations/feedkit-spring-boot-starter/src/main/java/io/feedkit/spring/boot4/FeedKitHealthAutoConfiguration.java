package io.feedkit.spring.boot4;

import io.feedkit.Beta;
import io.feedkit.spring.actuate.FeedHealth;
import io.feedkit.spring.actuate.FeedHealth.Report;
import io.feedkit.spring.autoconfigure.FeedKitActuatorAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health contributor {@code feedkit}. Its status {@code DEGRADED} says that pages work without a part of the
 * store;
 * Spring Boot answers it with status 200.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(after = FeedKitActuatorAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(FeedHealth.class)
@ConditionalOnEnabledHealthIndicator("feedkit")
public class FeedKitHealthAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitHealthAutoConfiguration() {}

    @Bean
    HealthIndicator feedkitHealthIndicator(FeedHealth health) {
        return () -> {
            Report report = health.check();
            return Health.status(report.level().name())
                    .withDetails(report.details())
                    .build();
        };
    }
}
