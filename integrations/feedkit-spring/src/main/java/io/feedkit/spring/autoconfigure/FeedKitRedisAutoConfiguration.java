package io.feedkit.spring.autoconfigure;

import io.feedkit.Beta;
import io.feedkit.redis.RedisServers;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.store.RedisBackend;
import io.feedkit.spring.internal.store.SpringDataRedis;
import io.lettuce.core.RedisURI;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Where Redis is, if {@code feedkit-redis} is on the class path: a {@code RedisServers} bean of the application, or
 * {@code feedkit.redis.uri}, or a {@code RedisURI} bean of Lettuce, or the {@code RedisConnectionFactory} of Spring
 * Data Redis, if that uses Lettuce.
 *
 * @since 0.1.0
 */
@Beta
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass(RedisServers.class)
@EnableConfigurationProperties(FeedKitProperties.class)
public class FeedKitRedisAutoConfiguration {

    /** Creates the configuration. */
    public FeedKitRedisAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @Order(1)
    static class Addresses {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty("feedkit.redis.uri")
        RedisServers feedKitRedisServers(FeedKitProperties properties) {
            String uri = properties.redis().uri();
            try {
                return RedisServers.at(uri == null ? "" : uri);
            } catch (IllegalArgumentException e) {
                throw new InvalidSettingException(
                        "feedkit.redis.uri",
                        null,
                        "its value is not an address: " + e.getMessage() + ".",
                        "Set it to an address such as redis://cache.internal:6379.",
                        e);
            }
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(RedisURI.class)
        RedisServers feedKitLettuceServers(RedisURI uri) {
            return RedisServers.at(uri);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnClass(RedisConnectionFactory.class)
    static class SpringData {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        RedisServers feedKitSpringDataServers(RedisConnectionFactory factory) {
            return SpringDataRedis.servers(factory);
        }
    }

    @Bean
    @ConditionalOnSingleCandidate(RedisServers.class)
    RedisBackend feedKitRedisBackend(FeedKitProperties properties, RedisServers servers) {
        return new RedisBackend(properties, servers);
    }
}
