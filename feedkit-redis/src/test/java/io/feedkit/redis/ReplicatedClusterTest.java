package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A store in a cluster whose writes a replica must have")
@Timeout(300)
@Tag("matrix")
class ReplicatedClusterTest {

    private static final int MASTERS = 3;

    @Test
    @DisplayName("asks the replica of the master that has the post's slot, wherever that moves")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(cluster.uri()))
                        .replicas(1)
                        .timeout(Duration.ofSeconds(2))
                        .build();
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            List<RedisServer> nodes = cluster.nodes();
            publishToAll(feed, "before");
            nodes.get(MASTERS).kill();
            IntStream.range(0, Keys.PARTITIONS).forEach(partition -> {
                Post post = Post.of(author(partition), "cut-off", 1);
                if (owner(cluster, partition).port() == nodes.get(0).port()) {
                    assertThatThrownBy(() -> feed.publish(post))
                            .isInstanceOf(OutcomeUnknownException.class)
                            .hasMessageContaining("only 0 of 1 replicas");
                } else {
                    assertThat(feed.publish(post).status()).isEqualTo(Status.NEW);
                }
            });
            nodes.get(MASTERS).restart();
            cluster.awaitHealthy();
            publishToAll(feed, "after");

            for (int partition = 0; partition < 3; partition++) {
                RedisServer owner = owner(cluster, partition);
                RedisServer other = cluster.masters().stream()
                        .filter(master -> master.port() != owner.port())
                        .findFirst()
                        .orElseThrow();
                cluster.move(slot(cluster, partition), other);
            }
            publishToAll(feed, "moved");
        }
    }

    private static void publishToAll(FeedEngine feed, String id) {
        for (int partition = 0; partition < Keys.PARTITIONS; partition++) {
            assertThat(feed.publish(Post.of(author(partition), id, 1)).status()).isEqualTo(Status.NEW);
        }
    }

    /** An author whose posts are in that partition. */
    private static String author(int partition) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "author" + i)
                .filter(author -> Keys.partition(author) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static int slot(RedisCluster cluster, int partition) {
        return cluster.slotOf(String.format("feedkit:{t%x}:", partition));
    }

    private static RedisServer owner(RedisCluster cluster, int partition) {
        return cluster.owner(slot(cluster, partition));
    }
}
