package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads with content, each of which waits for an update of the register. All reads that wait when an update is
 * requested share it.
 *
 * @param feed whose pages are read
 * @param counted counts the requested updates
 */
record SharedQuestions(RegisterFeed feed, CountedQuestions counted) {

    private static final int CALLERS = 64;

    Figure figure(String measurement, Scale scale) {
        FeedEngine engine = feed.engine(FeedEngineBuilder.DEFAULT_STALENESS);
        Rounds.Medians medians =
                Rounds.of(scale).medians(() -> share(engine, scale, CALLERS), () -> share(engine, scale, 1));
        String name = measurement + ": reads with content, " + CALLERS + " at once (against one)";
        return Figure.of(name, "questions a read", medians, Target.NONE);
    }

    private double share(FeedEngine engine, Scale scale, int callers) {
        AtomicLong reads = new AtomicLong();
        long before = counted.questions();
        new Callers(callers, scale.window()).perSecond(chance -> {
            RegisterFeed.first(engine, chance.nextInt(CALLERS), SharedQuestions::load);
            reads.incrementAndGet();
        });
        return (double) (counted.questions() - before) / reads.get();
    }

    private static Map<Post, Post> load(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(Function.identity(), Function.identity()));
    }
}
