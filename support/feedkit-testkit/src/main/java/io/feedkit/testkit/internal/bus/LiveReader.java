package io.feedkit.testkit.internal.bus;

import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A subscriber of a live feed that keeps the posts. */
final class LiveReader implements Flow.Subscriber<LiveEvent> {

    private final List<String> posts = new CopyOnWriteArrayList<>();
    private volatile @Nullable Throwable failure;

    static LiveReader of(Flow.Publisher<LiveEvent> feed) {
        LiveReader reader = new LiveReader();
        feed.subscribe(reader);
        return reader;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(LiveEvent event) {
        if (event instanceof PostAdded added) {
            posts.add(added.post().id());
        }
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
    }

    @Override
    public void onComplete() {}

    /** The ids of the posts, as they arrived. */
    List<String> posts() {
        Throwable cause = failure;
        if (cause != null) {
            throw new AssertionError("the live feed failed", cause);
        }
        return List.copyOf(posts);
    }
}
