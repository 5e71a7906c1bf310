package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Rows a second that move to the archive without a limit, against statements written by hand. */
final class MoverRate implements Measurement {

    private static final int ROWS_PART = 200;
    private static final int AUTHORS = 50;
    private static final long AGE_MILLIS = Duration.ofDays(40).toMillis();
    private static final long STEP_MILLIS = 60_000;
    private static final int WARM_UPS = 1;
    private static final double MILLIS_A_SECOND = 1000;

    private final AtomicInteger loads = new AtomicInteger();

    @Override
    public String name() {
        return "mover";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int each = Math.max(1, scale.followers() / ROWS_PART / AUTHORS);
        try (Shape shape = Shape.production();
                HandMover hand = new HandMover(shape.database(), shape.archiveDatabase())) {
            shape.claimArchive();
            return List.of(Figure.of(
                    name() + ": no limit (against select, insert and delete by hand)",
                    "rows/s",
                    new Rounds(scale.rounds(), WARM_UPS)
                            .medians(() -> move(shape, each), () -> byHand(shape, hand, each)),
                    Target.NONE));
        }
    }

    private void load(Shape shape, int each) {
        long newest = System.currentTimeMillis() - AGE_MILLIS;
        new TimedPosts("old", AUTHORS, "load" + loads.getAndIncrement() + "-", each, newest, STEP_MILLIS)
                .into(shape.database());
        shape.database().settle("post");
    }

    private double move(Shape shape, int each) {
        load(shape, each);
        MovedPosts moved = new MovedPosts();
        try (FeedEngine engine = shape.engine()
                .workers(0)
                .listener(moved)
                .archiving(archiving -> archiving.postsPerSecond(Integer.MAX_VALUE))
                .build()) {
            requireAll(engine.archivePosts(), each);
        }
        return moved.perSecond();
    }

    private double byHand(Shape shape, HandMover hand, int each) {
        load(shape, each);
        long[] moved = new long[1];
        double millis = Clocked.once(() -> moved[0] = hand.move(System.currentTimeMillis()));
        requireAll(moved[0], each);
        return moved[0] * MILLIS_A_SECOND / millis;
    }

    private static void requireAll(long moved, int each) {
        if (moved != (long) AUTHORS * each) {
            throw new IllegalStateException(AUTHORS * each + " posts must move, but " + moved + " did");
        }
    }
}
