package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Subscribers of live feeds that request all events, and pass the posts to one consumer. Thread-safe. */
final class PostSubscribers {

    private final Consumer<Post> consumer;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    PostSubscribers(Consumer<Post> consumer) {
        this.consumer = consumer;
    }

    /** Subscribes to a reader's feed. */
    void add(FeedEngine engine, String reader) {
        engine.live(reader).subscribe(new Subscriber());
    }

    /** Throws if a feed has failed. */
    void requireNoFailure() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a live feed failed", cause);
        }
    }

    private final class Subscriber implements Flow.Subscriber<LiveEvent> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            if (event instanceof PostAdded added) {
                consumer.accept(added.post());
            }
        }

        @Override
        public void onError(Throwable cause) {
            failure.set(cause);
        }

        @Override
        public void onComplete() {}
    }
}
