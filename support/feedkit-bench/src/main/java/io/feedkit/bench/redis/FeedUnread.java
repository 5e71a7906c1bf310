package io.feedkit.bench.redis;

import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.UnreadFeeds;
import io.feedkit.bench.redis.hand.SnapshotUnread;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Unread counts of feeds whose marks are in the middle of the inbox, against the sum of all followees' post counts
 * minus a snapshot of them.
 */
final class FeedUnread implements Measurement {

    private static final int CALLERS = 16;
    private static final int READERS = 100;
    private static final int FEW = 200;
    private static final int MANY = 1000;
    /** With fewer rounds, the first figures would measure code that is not compiled yet. */
    private static final int WARM_UPS = 12;

    /** Reads a second per server that another host has published, with counters and snapshots. */
    private static final double PUBLISHED = 31_250;

    /** Both ways to count, for readers with a given number of followees. */
    private record Counts(DoubleSupplier engine, DoubleSupplier inOneCall, DoubleSupplier snapshots) {}

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                SnapshotUnread snapshots = new SnapshotUnread(redis)) {
            for (boolean pulled : new boolean[] {false, true}) {
                try (UnreadFeeds few = new UnreadFeeds(store, pulled, FEW, READERS);
                        UnreadFeeds many = new UnreadFeeds(store, pulled, MANY, READERS)) {
                    figures.addAll(
                            measure(scale, pulled, counts(scale, few, snapshots), counts(scale, many, snapshots)));
                }
            }
        }
        return figures;
    }

    private static Counts counts(Scale scale, UnreadFeeds feeds, SnapshotUnread snapshots) {
        List<String> readers = feeds.readers();
        List<String> authors = feeds.authors();
        String[] keys = SnapshotUnread.keys(authors);
        snapshots.fill(authors, readers, 2, 1);
        Callers callers = new Callers(CALLERS, scale.window());
        Callers few = new Callers(2, scale.window());
        return new Counts(
                () -> callers.perSecond(chance -> feeds.count(readers.get(chance.nextInt(READERS)))),
                () -> READERS * few.perSecond(chance -> feeds.count(readers)),
                () -> callers.perSecond(
                        chance -> snapshots.count(readers.get(chance.nextInt(READERS)), authors, keys)));
    }

    private List<Figure> measure(Scale scale, boolean pulled, Counts few, Counts many) {
        Rounds rounds = new Rounds(scale.rounds(), WARM_UPS);
        String posts = pulled ? ", all pulled" : "";
        Rounds.Medians ofFew = rounds.medians(few.engine(), few.snapshots());
        return List.of(
                figure(FEW + " followees" + posts, ofFew, target(pulled, 3)),
                figure(
                        MANY + " followees" + posts,
                        rounds.medians(many.engine(), many.snapshots()),
                        target(pulled, 12)),
                Figure.of(
                        name() + ": " + MANY + " followees" + posts + " (against " + FEW + ")",
                        "reads/s",
                        rounds.medians(many.engine(), few.engine()),
                        target(pulled, 1 / 1.3)),
                figure(
                        MANY + " followees" + posts + ", " + READERS + " readers a call",
                        rounds.medians(many.inOneCall(), many.snapshots()),
                        Target.NONE),
                new Figure(
                        name() + ": " + FEW + " followees" + posts
                                + " (against what others have published for a server)",
                        "reads/s",
                        ofFew.value(),
                        PUBLISHED,
                        Target.NONE));
    }

    private static Target target(boolean pulled, double ratio) {
        return pulled ? Target.NONE : new Target.RatioAtLeast(ratio);
    }

    private Figure figure(String what, Rounds.Medians medians, Target target) {
        return Figure.of(
                name() + ": " + CALLERS + " callers, " + what + " (against MGET and HGETALL)",
                "reads/s",
                medians,
                target);
    }
}
