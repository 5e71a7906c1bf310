package io.feedkit.examples.microblog.panel;

import io.feedkit.redis.RedisServers;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A client of Redis whose commands are counted. An application that counts nothing leaves the client to FeedKit. */
@Configuration(proxyBeanMethods = false)
@Profile("redis")
class CountedRedis {

    @Bean(destroyMethod = "shutdown")
    static RedisClient redisClient(
            @Value("${spring.data.redis.host}") String host,
            @Value("${spring.data.redis.port:6379}") int port,
            @Value("${spring.data.redis.timeout}") Duration timeout,
            RoundTrips roundTrips) {
        RedisClient client = RedisClient.create(RedisURI.create(host, port));
        client.setOptions(ClientOptions.builder() // those that FeedKit requires
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build())
                .build());
        client.addListener(roundTrips);
        return client;
    }

    @Bean
    static RedisServers redisServers(RedisClient client) {
        return RedisServers.of(client);
    }
}
