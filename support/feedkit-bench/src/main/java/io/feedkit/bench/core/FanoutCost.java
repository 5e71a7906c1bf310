package io.feedkit.bench.core;

import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import java.util.List;

/** The cost of a delivery to one follower, on one thread, publish included. */
final class FanoutCost implements Measurement {

    private static final int PART_LIVE = 1000;
    private static final int PART_NOT_LIVE = 100;
    private static final int CAP = 1000;

    @Override
    public String name() {
        return "fan-out";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int live = scale.followers() / PART_LIVE;
        int notLive = scale.followers() / PART_NOT_LIVE;
        return List.of(
                figure(scale, "a follower with a full inbox (against a map of deques)", live, live),
                figure(scale, "a follower who is not live (against a map of deques)", notLive, 0));
    }

    private Figure figure(Scale scale, String what, int followers, int live) {
        try (StarFeed feed = new StarFeed(followers, live, settings -> settings.workers(0))) {
            PlainInboxes plain = new PlainInboxes(feed.graph(), CAP);
            feed.live().forEach(reader -> plain.open(reader, feed.earlier()));
            Post post = feed.earlier().get(0);
            Timing timing = Timing.of(scale);
            Medians medians = Rounds.of(scale)
                    .medians(
                            () -> timing.nanos(() -> fanOut(feed)) / followers,
                            () -> timing.nanos(() -> plain.fanOut(post)) / followers);
            return Figure.of(name() + ": " + what, "ns of CPU", medians, Target.NONE);
        }
    }

    private static int fanOut(StarFeed feed) {
        feed.publish();
        return feed.engine().fanout().drain();
    }
}
