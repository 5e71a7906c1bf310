package io.feedkit.tools.replay;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Plays events, one after the other, on the calling thread. Consecutive posts may be published together as a batch.
 */
final class EventPlayer implements Consumer<Event> {

    private final FeedEngine engine;
    private final EventClock clock;
    private final Names names;
    private final PageRequest firstPage;
    private final int batchSize;
    private final List<Post> batch = new ArrayList<>();
    private final Histogram publishNanos = new Histogram(3);

    /**
     * Creates a player.
     *
     * @param batchSize the largest number of posts in a batch
     */
    EventPlayer(FeedEngine engine, EventClock clock, Names names, PageRequest firstPage, int batchSize) {
        this.engine = engine;
        this.clock = clock;
        this.names = names;
        this.firstPage = firstPage;
        this.batchSize = batchSize;
    }

    @Override
    public void accept(Event event) {
        clock.advanceTo(event.millis());
        if (event instanceof Event.Publish publish) {
            batch.add(names.postOf(publish));
            if (batch.size() >= batchSize) {
                flush();
            }
        } else {
            flush();
            play(event);
        }
    }

    private void play(Event event) {
        if (event instanceof Event.Delete delete) {
            engine.delete(names.user(delete.author()), Names.post(delete.id()));
        } else if (event instanceof Event.Follow follow) {
            engine.follow(names.user(follow.reader()), names.user(follow.author()));
        } else if (event instanceof Event.Unfollow unfollow) {
            engine.unfollow(names.user(unfollow.reader()), names.user(unfollow.author()));
        } else if (event instanceof Event.Read read) {
            engine.read(names.user(read.reader()), firstPage);
        }
    }

    /** Publishes the posts of an incomplete batch. */
    void flush() {
        if (!batch.isEmpty()) {
            long start = System.nanoTime();
            engine.publishAll(batch);
            publishNanos.recordValueWithCount((System.nanoTime() - start) / batch.size(), batch.size());
            batch.clear();
        }
    }

    /** The publishing time per post. */
    Histogram publishNanos() {
        return publishNanos;
    }
}
