package io.feedkit.bench.live;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.live.PacedPosts.Latency;
import io.feedkit.bench.live.PacedPosts.Publisher;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The time from a publish to the events at 40 connected followers, over two engines and Redis, against a channel for
 * each reader.
 */
final class EventLatency implements Measurement {

    private static final int PART = 1000;
    private static final int FEWEST = 100;
    private static final int POSTS_A_SECOND = 500;
    private static final int WINDOWS = 8;

    /** What a round measured, with the messages that Redis passed on for each post. */
    private record Sample(Latency latency, double messages) {}

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        FewFollowees follows = new FewFollowees(Math.max(FEWEST, scale.followers() / PART));
        PacedPosts posts = new PacedPosts(POSTS_A_SECOND, FewFollowees.FOLLOWERS);
        List<Sample> live = new ArrayList<>();
        List<Sample> storing = new ArrayList<>();
        List<Sample> sendOnly = new ArrayList<>();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                HandChannels channels = new HandChannels(redis, follows, posts::arrived);
                LiveEngines engines = new LiveEngines(redis, follows, posts)) {
            for (int round = -1; round < scale.rounds(); round++) {
                Sample ofLive = sample(scale, redis, follows, posts, engines.publishers());
                Sample ofStoring = sample(scale, redis, follows, posts, channels.storing());
                Sample ofSending = sample(scale, redis, follows, posts, channels.sendOnly());
                if (round >= 0) {
                    live.add(ofLive);
                    storing.add(ofStoring);
                    sendOnly.add(ofSending);
                }
            }
        }
        String lists = "a channel for each reader, and lists";
        String messages = "a channel for each reader, messages only";
        Target.RatioAtMost twice = new Target.RatioAtMost(2);
        return List.of(
                figure(live, storing, "p50", lists, "ms", each -> each.latency().p50(), Target.NONE),
                figure(live, storing, "p99", lists, "ms", each -> each.latency().p99(), twice),
                figure(
                        live,
                        sendOnly,
                        "p50",
                        messages,
                        "ms",
                        each -> each.latency().p50(),
                        Target.NONE),
                figure(
                        live,
                        sendOnly,
                        "p99",
                        messages,
                        "ms",
                        each -> each.latency().p99(),
                        twice),
                figure(
                        live,
                        sendOnly,
                        "messages",
                        messages,
                        "messages/post",
                        Sample::messages,
                        new Target.RatioAtMost(0.1)));
    }

    private static Sample sample(
            Scale scale, BenchRedis redis, FewFollowees follows, PacedPosts posts, List<Publisher> publishers) {
        int count = posts.countFor(scale.window().multipliedBy(WINDOWS), publishers.size());
        long before = redis.calls("publish");
        Latency latency = posts.publish(count, follows.authors(), publishers);
        return new Sample(latency, (double) (redis.calls("publish") - before) / count);
    }

    private Figure figure(
            List<Sample> live,
            List<Sample> hand,
            String what,
            String against,
            String unit,
            ToDoubleFunction<Sample> value,
            Target target) {
        Medians medians = new Medians(
                Rounds.median(live.stream().map(value::applyAsDouble).toList()),
                Rounds.median(hand.stream().map(value::applyAsDouble).toList()));
        return Figure.of(name() + ": publish to event, " + what + " (against " + against + ")", unit, medians, target);
    }
}
