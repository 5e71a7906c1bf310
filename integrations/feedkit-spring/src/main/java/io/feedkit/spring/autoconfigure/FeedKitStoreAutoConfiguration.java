package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.live.LiveBus;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.internal.store.Database;
import io.feedkit.spring.internal.store.LiveBuses;
import io.feedkit.spring.internal.store.RedisBackend;
import io.feedkit.spring.internal.store.StoreFactory;
import io.feedkit.spring.internal.store.StoreParts;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The {@link FeedStore}, unless the application defines one, or the engine: in SQL if there is a data source, with
 * inboxes in Redis if its address is known; or in Redis; or in memory. With it come its presence and a live bus.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(after = {FeedKitRedisAutoConfiguration.class, FeedKitDatabaseAutoConfiguration.class})
@ConditionalOnMissingBean({FeedStore.class, FeedEngine.class})
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitStoreAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitStoreAutoConfiguration() {}

    @Bean
    StoreParts feedKitStoreParts(
            FeedKitProperties properties,
            Database database,
            ObjectProvider<RedisBackend> redis,
            ObjectProvider<FollowGraph> graph,
            ObjectProvider<Clock> clock) {
        return new StoreFactory(
                        properties,
                        database,
                        redis.getIfAvailable(),
                        graph.getIfAvailable(),
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

    /** No bus if the application neither has Redis nor names a bus: engines then poll the store. */
    @Bean
    @ConditionalOnMissingBean(LiveBus.class)
    @Nullable
    LiveBus feedKitLiveBus(FeedKitProperties properties, StoreParts parts, ObjectProvider<RedisBackend> redis) {
        return LiveBuses.choose(properties, parts, redis.getIfAvailable());
    }
}
