package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.redis.internal.format.Keys;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class MovedSlotsTest {

    private static final int PAUSE_MILLIS = 10;
    private static final int TIMES = Rounds.of(1);
    private static final int KEYS_AT_A_TIME = 3;
    private static final int BUCKETS = 16;

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("slots of posts, tasks and inboxes move to other masters in mid-fan-out, a few keys at a"
            + " time: nothing is lost, repeated or resurrected")
    void moved(Engines engines) throws Exception {
        HalfDone halfDone = new HalfDone();
        try (RedisCluster cluster = RedisCluster.start(RedisProgram.embedded());
                Scenario scenario =
                        Scenario.start(engines, () -> Nodes.at(cluster.uri()).through(halfDone::watch), PAUSE_MILLIS)) {
            List<Integer> slots = slots(cluster, scenario.members().readers());
            Random random = new Random(6);
            int amidFanout = 0;
            int posts = scenario.truth().posts();
            for (int round = 0; round < TIMES; round++) {
                for (int slot : slots) {
                    Rounds.moment(random, 20);
                    amidFanout += move(cluster, slot, halfDone) ? 1 : 0;
                }
            }
            int meanwhile = scenario.truth().posts() - posts;
            scenario.finish("slots moved=%d, amid fan-out=%d, posts acknowledged meanwhile=%d"
                    .formatted(TIMES * slots.size(), amidFanout, meanwhile));
            assertThat(amidFanout).isPositive();
            assertThat(meanwhile).isPositive();
        }
    }

    /** The slots of all partitions, and of some readers' buckets. */
    private static List<Integer> slots(RedisCluster cluster, List<String> readers) {
        Stream<String> partitions =
                IntStream.range(0, Keys.PARTITIONS).mapToObj(partition -> String.format("feedkit:{t%x}:", partition));
        Stream<String> buckets =
                readers.stream().limit(BUCKETS).map(reader -> String.format("feedkit:{%02x}:", Keys.bucket(reader)));
        return Stream.concat(partitions, buckets)
                .map(cluster::slotOf)
                .distinct()
                .toList();
    }

    /** Whether a task was done for some of its readers, and not for all, while only some of the keys had moved. */
    private static boolean move(RedisCluster cluster, int slot, HalfDone halfDone) {
        RedisServer from = cluster.owner(slot);
        RedisServer to = cluster.masters().stream()
                .filter(master -> master.port() != from.port())
                .findFirst()
                .orElseThrow();
        boolean amidFanout = false;
        cluster.beginMove(slot, to);
        while (cluster.moveSome(slot, to, KEYS_AT_A_TIME) > 0) {
            amidFanout |= halfDone.tasks() > 0;
        }
        cluster.endMove(slot, from, to);
        return amidFanout;
    }
}
