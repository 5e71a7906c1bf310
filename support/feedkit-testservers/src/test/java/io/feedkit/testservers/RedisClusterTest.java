package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("survival")
@DisplayName("A Redis Cluster")
class RedisClusterTest {

    private static final Duration FAILOVER = Duration.ofSeconds(30);

    @Test
    @DisplayName("replaces a master that is killed by its replica, which has what was written")
    void failover() throws IOException {
        try (RedisCluster cluster = RedisCluster.start(RedisProgram.embedded())) {
            int slot = cluster.slotOf("note");
            RedisServer master = cluster.owner(slot);
            Replication.set(master, "note", "kept");
            master.kill();
            await().atMost(FAILOVER).until(() -> cluster.owner(slot).isRunning());
            RedisServer successor = cluster.owner(slot);
            assertThat(successor.port()).isNotEqualTo(master.port());
            assertThat(successor.ask("GET", "note")).isEqualTo("kept");
        }
    }

    @Test
    @DisplayName("takes a master back that was killed and replaced")
    void back() {
        try (RedisCluster cluster = RedisCluster.start(RedisProgram.embedded())) {
            RedisServer master = cluster.owner(0);
            master.kill();
            await().atMost(FAILOVER).until(() -> cluster.owner(0).isRunning());
            RedisServer successor = cluster.owner(0);
            master.restart();
            cluster.awaitHealthy();
            assertThat(cluster.masters()).hasSize(3).contains(successor).doesNotContain(master);
        }
    }

    @Test
    @DisplayName("moves a slot with its keys")
    void move() {
        RedisCluster cluster = RedisCluster.shared(RedisProgram.embedded());
        int slot = cluster.slotOf("{moved}1");
        RedisServer from = cluster.owner(slot);
        from.ask("SET", "{moved}1", "one");
        from.ask("SET", "{moved}2", "two");
        RedisServer to = cluster.masters().stream()
                .filter(master -> master.port() != from.port())
                .findFirst()
                .orElseThrow();
        cluster.move(slot, to);
        assertThat(cluster.owner(slot)).isSameAs(to);
        assertThat(to.ask("GET", "{moved}2")).isEqualTo("two");
        assertThatThrownBy(() -> from.ask("GET", "{moved}1")).hasMessageContaining("MOVED " + slot);
        cluster.move(slot, from);
        cluster.awaitHealthy();
    }

    @Test
    @DisplayName("is down until it is formed")
    void unformed() {
        try (RedisCluster cluster = RedisCluster.unformed()) {
            RedisServer node = cluster.nodes().get(0);
            assertThatThrownBy(() -> node.ask("GET", "note")).hasMessageContaining("CLUSTERDOWN");
            cluster.form();
            assertThat(cluster.owner(cluster.slotOf("note")).ask("GET", "note")).isEmpty();
        }
    }
}
