package io.feedkit.spring.boot4;

import io.feedkit.Beta;
import io.feedkit.redis.RedisServers;
import io.feedkit.spring.autoconfigure.FeedKitRedisAutoConfiguration;
import io.feedkit.spring.autoconfigure.FeedKitStoreAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;

/**
 * Redis where Spring Data Redis has it: {@code spring.data.redis.*}, or a service connection.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        after = {FeedKitRedisAutoConfiguration.class, DataRedisAutoConfiguration.class},
        before = FeedKitStoreAutoConfiguration.class)
@ConditionalOnClass({RedisServers.class, DataRedisConnectionDetails.class})
public class FeedKitSpringDataRedisAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitSpringDataRedisAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(DataRedisConnectionDetails.class)
    RedisServers feedKitSpringDataServers(DataRedisConnectionDetails details) {
        return RedisServers.at(Addresses.of(details));
    }
}
