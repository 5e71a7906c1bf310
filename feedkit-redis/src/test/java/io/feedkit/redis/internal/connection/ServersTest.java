package io.feedkit.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An address of Redis")
class ServersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://cache.internal",
                "rediss://ann:secret@cache.internal:6380/3",
                "redis-sentinel://a:26379,b:26379,c#name",
                "rediss-sentinel://secret@a:26379#name",
                "redis-cluster://a:7000,b:7001,c",
                "redis-cluster://a",
                "rediss-cluster://ann:secret@a:7000,b:7001",
                "redis-cluster://[::1]:7000,[::1]:7001",
                "redis-cluster://a:7000,b:7001/?clientName=feeds"
            })
    @DisplayName("is one server, sentinels with a name, or members of a cluster")
    void accepted(String uri) {
        assertThatCode(() -> Servers.of(uri)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cache.internal",
                "http://cache.internal",
                "redis-cluster:a:7000",
                "redis-cluster://",
                "redis-cluster://a:port",
                "redis://a:port",
                "redis://a:7000,b:7001",
                "redis-cluster://a:7000,,b:7000",
                "redis-cluster://a:7000,b:99999",
                "redis-sentinel://a:26379",
                "redis-sentinel://a:port#name",
                "redis://"
            })
    @DisplayName("is refused, and shown, if it is anything else")
    void refused(String uri) {
        assertThatThrownBy(() -> Servers.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uri must be redis://")
                .hasMessageContaining("\"" + uri + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://ann:secret@cache.internal",
                "redis-cluster://ann:secret@a:7000,b:99999",
                "redis-cluster://ann:secret@with@signs@a:port",
                "redis://ann:secret@cache internal",
                "redis-sentinel://ann:secret@a:26379",
                "ann:secret@cache.internal",
                "://ann:secret@cache.internal",
                "redis-socket://secret:/run/redis.sock",
                "redis-socket://secret@/run/redis.sock",
                "cache.internal:6379,password=secret",
                "redis://a:port?password=secret"
            })
    @DisplayName("is refused without showing a password")
    void passwordHidden(String uri) {
        assertThatThrownBy(() -> Servers.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContaining("***")
                .hasMessageNotContaining("secret");
    }

    @Test
    @DisplayName("is refused without showing a password that was given as a part of the host")
    void passwordInHost() {
        RedisURI uri = RedisURI.Builder.redis("ann:secret@cache.internal").build();
        RedisURI sentinel =
                RedisURI.Builder.sentinel("ann:secret@a", 26379, "name").build();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> Servers.of(uri), () -> Servers.of(sentinel), () -> Servers.cluster(List.of(uri)))) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasNoCause()
                    .hasMessageContainingAll("host of the RedisURI", "withAuthentication")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    @DisplayName("keeps its sentinels, whose master must have a name")
    void sentinels() {
        RedisURI uri = RedisURI.Builder.sentinel("a", 26379).build();
        assertThatThrownBy(() -> Servers.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must name the master");
        uri.setSentinelMasterId("name");
        assertThat(Servers.of(uri).areOfHostsClient()).isFalse();
    }
}
