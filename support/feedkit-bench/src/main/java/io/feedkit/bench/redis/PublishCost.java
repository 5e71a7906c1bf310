package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.ground.StarRedis;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.Map;

/**
 * Publishes on a server that writes its file before it answers: with very many followers and few, and against a bare
 * entry of a stream.
 */
final class PublishCost implements Measurement {

    private static final Target OF_FEW = new Target.RatioAtMost(1.2);
    private static final Target OF_BARE = new Target.RatioAtMost(2);

    private int posts;

    @Override
    public String name() {
        return "publish";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (StarRedis star = new StarRedis(scale, Durability.DURABLE);
                StatefulRedisConnection<String, String> bare = star.redis().connect(StringCodec.ASCII);
                FeedEngine engine = FeedEngine.builder(star.store()).workers(0).build();
                FeedEngine counting = FeedEngine.builder(star.store())
                        .workers(0)
                        .policy(FanoutPolicy.hybrid(Math.max(1, star.followers() / 2)))
                        .build()) {
            Runnable few = () -> publish(engine, StarRedis.FEW);
            return List.of(
                    figure(
                            scale,
                            "p50 with very many followers (against 10)",
                            OF_FEW,
                            () -> publish(engine, StarRedis.STAR),
                            few),
                    figure(
                            scale,
                            "p50 with very many followers, counted and pulled (against 10)",
                            Target.NONE,
                            () -> publish(counting, StarRedis.STAR),
                            () -> publish(counting, StarRedis.FEW)),
                    figure(
                            scale,
                            "p50 (against XADD)",
                            OF_BARE,
                            few,
                            () -> bare.sync()
                                    .xadd(
                                            "hand:stream",
                                            Map.of("author", StarRedis.FEW, "id", FullInboxes.nextId(posts++)))));
        }
    }

    private Figure figure(Scale scale, String what, Target target, Runnable value, Runnable baseline) {
        Clocked clocked = Clocked.of(scale);
        Rounds.Medians medians = Rounds.of(scale).medians(() -> clocked.millis(value), () -> clocked.millis(baseline));
        return Figure.of(name() + ": " + what, "ms", medians, target);
    }

    private void publish(FeedEngine engine, String author) {
        engine.publish(Post.of(author, FullInboxes.nextId(posts++), System.currentTimeMillis()));
    }
}
