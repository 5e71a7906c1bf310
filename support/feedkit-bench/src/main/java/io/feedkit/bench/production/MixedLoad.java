package io.feedkit.bench.production;

import static java.util.Objects.requireNonNull;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Callers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Publishers, readers of first pages, and readers of pages below their inboxes, each at a steady pace. */
final class MixedLoad implements AutoCloseable {

    /** What is done. */
    enum Kind {
        PUBLISH("publish", 100),
        FIRST_PAGE("first page", 200),
        OUTBOX_PAGE("page below the inbox", 50);

        private final String text;
        private final int perSecond;

        Kind(String text, int perSecond) {
            this.text = text;
            this.perSecond = perSecond;
        }

        String text() {
            return text + ", " + perSecond + "/s";
        }
    }

    /** The latencies of one window. */
    record Window(Map<Kind, Latency> latencies) {
        Latency of(Kind kind) {
            return requireNonNull(latencies.get(kind));
        }
    }

    private static final int THREADS = 3;
    private static final int PAGE = 20;
    private static final int POSTS_EACH = 1000;
    private static final int WALKING = 100;
    private static final Duration SPAN = Duration.ofDays(20);

    /** No post is so old that this engine moves it. */
    private static final Duration NEVER = Duration.ofDays(3650);

    private final FeedEngine engine;
    private final List<String> walking = new ArrayList<>();
    private final List<PageRequest> belowInbox = new ArrayList<>();
    private final AtomicInteger posts = new AtomicInteger();

    MixedLoad(Shape shape) {
        Followers.follow(shape);
        new TimedPosts(
                        Followers.AUTHOR,
                        Followers.AUTHORS,
                        "earlier",
                        POSTS_EACH,
                        System.currentTimeMillis(),
                        SPAN.toMillis() / POSTS_EACH)
                .into(shape.database());
        shape.database().settle("post", "follow");
        engine = shape.engine().archiving(archiving -> archiving.after(NEVER)).build();
        Followers.visit(engine);
        for (int i = 0; i < WALKING; i++) {
            FeedPage<Post> inbox = engine.read(Followers.reader(i), PageRequest.first(FeedEngineBuilder.DEFAULT_CAP));
            walking.add(Followers.reader(i));
            belowInbox.add(PageRequest.older(inbox.older().orElseThrow(), PAGE));
        }
    }

    Window run(Duration time) {
        Map<Kind, Histogram> nanos = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            nanos.put(kind, new ConcurrentHistogram(3));
        }
        new Callers(Kind.values().length, Duration.ZERO)
                .forEach(
                        List.of(Kind.values()),
                        kind -> new OpenLoop(kind.perSecond, THREADS).run(time, (number, due) -> {
                            call(kind, number);
                            requireNonNull(nanos.get(kind)).recordValue(System.nanoTime() - due);
                        }));
        Map<Kind, Latency> latencies = new EnumMap<>(Kind.class);
        nanos.forEach((kind, histogram) -> latencies.put(kind, Latency.of(histogram)));
        return new Window(latencies);
    }

    private void call(Kind kind, int number) {
        switch (kind) {
            case PUBLISH -> engine.publish(Followers.author(number), String.format("%018d", posts.getAndIncrement()));
            case FIRST_PAGE -> requireFull(engine.read(Followers.reader(number), PageRequest.first(PAGE)));
            case OUTBOX_PAGE -> {
                int reader = number % WALKING;
                requireFull(engine.read(walking.get(reader), belowInbox.get(reader)));
            }
        }
    }

    private static void requireFull(FeedPage<Post> page) {
        if (page.items().size() != PAGE) {
            throw new IllegalStateException("a page must have " + PAGE + " posts, but has "
                    + page.items().size());
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
