package io.feedkit.spring.boot3;

import io.feedkit.Beta;
import io.feedkit.redis.RedisServers;
import io.feedkit.spring.autoconfigure.FeedKitRedisAutoConfiguration;
import io.feedkit.spring.autoconfigure.FeedKitStoreAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.context.annotation.Bean;

/**
 * Redis where Spring Data Redis has it: {@code spring.data.redis.*}, or a service connection.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        after = {FeedKitRedisAutoConfiguration.class, RedisAutoConfiguration.class},
        before = FeedKitStoreAutoConfiguration.class)
@ConditionalOnClass({RedisServers.class, RedisConnectionDetails.class})
public class FeedKitSpringDataRedisAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitSpringDataRedisAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(RedisConnectionDetails.class)
    RedisServers feedKitSpringDataServers(RedisConnectionDetails details) {
        return RedisServers.at(Addresses.of(details));
    }
}
