package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.NO_DATA_SOURCE;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.redis.RedisServers;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.store.SpringDataRedis;
import io.feedkit.testservers.RedisServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@DisplayName("A connection factory of Spring Data Redis")
class SpringDataRedisTest {

    private static RedisServers servers(RedisConfiguration configuration) {
        return SpringDataRedis.servers(new LettuceConnectionFactory(configuration));
    }

    @Test
    @DisplayName("names a server, sentinels or a cluster, and no password is shown")
    void addresses() {
        RedisStandaloneConfiguration one = new RedisStandaloneConfiguration("cache", 6390);
        one.setPassword("a+b c%");
        assertThat(servers(one)).hasToString("cache:6390");
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration()
                .master("main")
                .sentinel("s1", 26379)
                .sentinel("s2", 26379);
        sentinels.setSentinelUsername("watcher");
        sentinels.setSentinelPassword("secret");
        assertThat(servers(sentinels)).hasToString("s1:26379,s2:26379#main");
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("c1:7001", "c2:7002"));
        cluster.setUsername("feed@kit");
        cluster.setPassword("a+b c%@/");
        assertThat(servers(cluster)).hasToString("c1:7001,c2:7002");
    }

    @Test
    @DisplayName("is refused if FeedKit has no address for it")
    void refused() {
        assertThatThrownBy(() -> servers(new RedisSocketConfiguration("/tmp/redis.sock")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("spring.data.redis")
                .hasMessageContaining("Unix sockets");
        assertThatThrownBy(() -> servers(new RedisStaticMasterReplicaConfiguration("cache", 6390)))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("fixed master");
    }

    @Test
    @DisplayName("of the application's own is used, with its password and database, instead of spring.data.redis")
    void own() {
        try (RedisServer redis = RedisServer.start()) {
            redis.ask("CONFIG", "SET", "requirepass", "pass:w@rd 1");
            URI address = URI.create(redis.uri());
            RedisStandaloneConfiguration own = new RedisStandaloneConfiguration(address.getHost(), address.getPort());
            own.setPassword("pass:w@rd 1");
            own.setDatabase(3);
            runner(
                            "spring.autoconfigure.exclude=" + NO_DATA_SOURCE,
                            "spring.flyway.enabled=false",
                            "spring.liquibase.enabled=false",
                            "spring.main.web-application-type=none")
                    .withBean(RedisConnectionFactory.class, () -> new LettuceConnectionFactory(own))
                    .withPropertyValues("spring.data.redis.port=1", "feedkit.store=redis")
                    .run(context -> context.getBean(FeedEngine.class).publish("bob", "one"));
        }
    }
}
