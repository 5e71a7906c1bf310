package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.spi.FeedStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.actuate.FeedEndpoint;
import io.feedkit.spring.actuate.FeedHealth;
import io.feedkit.spring.internal.engine.EnginePolicies;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * The actuator endpoint {@code feedkit}, info, and what the health contributors of the starters show.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(after = FeedKitAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(FeedEngine.class)
public class FeedKitActuatorAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitActuatorAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    FeedHealth feedKitHealth(FeedEngine feed, FeedKitProperties properties) {
        return new FeedHealth(feed, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    FeedEndpoint feedKitEndpoint(FeedEngine feed, FeedKitProperties properties, ListableBeanFactory all) {
        return new FeedEndpoint(feed, EnginePolicies.of(properties, all).named().keySet());
    }

    @Bean
    @ConditionalOnEnabledInfoContributor("feedkit")
    InfoContributor feedKitInfo(FeedKitProperties properties, ObjectProvider<FeedStore> store) {
        Map<String, Object> info = new LinkedHashMap<>();
        String version = FeedEngine.class.getPackage().getImplementationVersion();
        if (version != null) {
            info.put("version", version);
        }
        info.put("name", properties.name() == null ? "feedkit" : properties.name());
        store.ifAvailable(found -> info.put("store", found.toString()));
        if (properties.workers() != null) {
            info.put("workers", properties.workers());
        }
        return builder -> builder.withDetail("feedkit", info);
    }
}
