package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A replay on Redis")
class ReplayRedisTest {

    @TempDir
    private Path directory;

    private Path follows;
    private Path ops;

    @BeforeEach
    void writeInput() throws IOException {
        follows = Files.writeString(directory.resolve("follows.txt"), ReplaySqlTest.FOLLOWS);
        ops = Files.writeString(directory.resolve("ops.txt"), ReplaySqlTest.OPS);
    }

    private Cli replay(String policy, String store) {
        return Cli.run(
                "replay",
                "--follows",
                follows,
                "--ops",
                ops,
                "--policy",
                policy,
                "--store",
                store,
                "--walk",
                "--page",
                "2",
                "--digest");
    }

    enum Backend {
        SERVER,
        SENTINELS,
        CLUSTER;

        String uri() {
            return switch (this) {
                case SERVER -> RedisServer.shared().uri();
                case SENTINELS -> RedisSentinels.shared(RedisProgram.embedded()).uri();
                case CLUSTER -> RedisCluster.shared(RedisProgram.embedded()).uri();
            };
        }
    }

    @Test
    @DisplayName("gives the same digest as in memory, under every policy, and leaves nothing there")
    void digests() {
        digests(Backend.SERVER);
    }

    @Tag("matrix")
    @ParameterizedTest
    @EnumSource(names = {"SENTINELS", "CLUSTER"})
    @DisplayName(
            "gives the same digest behind sentinels and in a cluster, under every policy, and leaves nothing there")
    void digests(Backend backend) {
        String expected = replay("push", "memory").value("digest");
        String uri = backend.uri();
        for (String policy : ReplaySqlTest.POLICIES) {
            Cli run = replay(policy, uri);
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.value("digest")).as(policy).isEqualTo(expected);
        }
        assertThat(left(uri)).isEmpty();
    }

    /** What all masters have. */
    private static List<String> left(String uri) {
        if (!uri.startsWith("redis-cluster")) {
            RedisClient client = RedisClient.create(uri);
            try {
                return client.connect().sync().keys("replay-*");
            } finally {
                client.shutdown();
            }
        }
        RedisClusterClient client =
                RedisClusterClient.create(RedisClusterURIUtil.toRedisURIs(URI.create(uri.replace("-cluster", ""))));
        try {
            return client.connect().sync().keys("replay-*");
        } finally {
            client.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://", "redis://127.0.0.1:1", "rediss://127.0.0.1:1", "valkey://127.0.0.1"})
    @DisplayName("refuses an address that leads nowhere, with exit code 2")
    void refused(String uri) {
        Cli run = replay("push", uri);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("store ");
        assertThat(run.out()).isEmpty();
    }
}
