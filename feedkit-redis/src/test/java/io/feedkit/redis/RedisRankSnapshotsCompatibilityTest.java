package io.feedkit.redis;

import io.feedkit.redis.internal.rank.RedisRankSnapshots;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.testkit.RankSnapshotsCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisRankSnapshotsCompatibilityTest extends RankSnapshotsCompatibilityKit {

    private final TestRedis redis;
    private final RankSnapshots rankSnapshots;

    RedisRankSnapshotsCompatibilityTest(Topology topology) {
        redis = new TestRedis(topology.uri().get());
        rankSnapshots = new RedisRankSnapshots(redis.link(), redis.keys(), redis.timer());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    protected RankSnapshots rankSnapshots() {
        return rankSnapshots;
    }

    @Override
    protected void pass(Duration duration) {
        redis.clock().advance(duration);
    }

    @Override
    protected long now() {
        return redis.clock().millis();
    }
}
