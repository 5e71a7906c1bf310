package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("matrix")
@DisplayName("A live bus in a cluster")
@Timeout(120)
class RedisLiveBusClusterTest {

    private static final String CHANNEL = "feedkit:{t0}:live";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration FAILOVER = Duration.ofSeconds(6);

    private static void awaitMessages(RedisLiveBus from, List<String> received, String message) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            from.send(message);
            return received.contains(message);
        });
    }

    private static long connections(RedisCluster cluster) {
        return cluster.nodes().stream()
                .flatMap(node -> node.ask("CLIENT", "LIST").lines())
                .filter(line -> line.contains(" flags=N ") || line.contains(" flags=P "))
                .filter(line -> !line.contains("cmd=client"))
                .count();
    }

    /**
     * Other masters refuse their votes until they know who has the slot. The server gives up such a failover after five
     * seconds.
     */
    private static void failOver(RedisCluster cluster, int slot, RedisServer heir) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            if (cluster.owner(slot) == heir) {
                return true;
            }
            heir.ask("CLUSTER", "FAILOVER");
            await().atMost(FAILOVER).ignoreExceptions().until(() -> cluster.owner(slot) == heir);
            return true;
        });
    }

    @ParameterizedTest
    @MethodSource("io.feedkit.testservers.RedisProgram#all")
    @DisplayName("uses a sharded channel if the server has them, and follows its slot and its master")
    void follows(RedisProgram program) {
        try (RedisCluster cluster = RedisCluster.start(program);
                RedisLiveBus one = RedisLiveBus.create(RedisServers.at(cluster.uri()));
                RedisLiveBus other = RedisLiveBus.create(RedisServers.at(cluster.uri()))) {
            List<String> received = new CopyOnWriteArrayList<>();
            other.listen(received::add);
            awaitMessages(one, received, "begin");
            int slot = cluster.slotOf(CHANNEL);
            RedisServer owner = cluster.owner(slot);
            boolean sharded = !program.equals(RedisProgram.embedded());
            assertThat(owner.ask("PUBSUB", sharded ? "SHARDCHANNELS" : "CHANNELS"))
                    .contains(CHANNEL);
            await().atMost(LIMIT).until(() -> connections(cluster) == 8);

            RedisServer next = cluster.masters().stream()
                    .filter(master -> master != owner)
                    .findFirst()
                    .orElseThrow();
            cluster.move(slot, next);
            awaitMessages(one, received, "after the slot moved");
            await().atMost(LIMIT)
                    .until(
                            () -> next.ask("PUBSUB", sharded ? "SHARDNUMSUB" : "NUMSUB", CHANNEL),
                            subscribers -> subscribers.endsWith("2"));

            RedisServer heir = cluster.nodes().get(cluster.nodes().indexOf(next) + 3);
            failOver(cluster, slot, heir);
            awaitMessages(one, received, "after the failover");
        }
    }
}
