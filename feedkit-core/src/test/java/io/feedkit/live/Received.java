package io.feedkit.live;

import static org.awaitility.Awaitility.await;

import io.feedkit.live.LiveEvent.PostAdded;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A subscriber that keeps its events. */
final class Received implements Flow.Subscriber<LiveEvent> {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final List<LiveEvent> events = new CopyOnWriteArrayList<>();
    private final long requested;
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean completed;
    private volatile @Nullable Throwable failure;

    private Received(long requested) {
        this.requested = requested;
    }

    /** Subscribes and requests everything. */
    static Received from(Flow.Publisher<LiveEvent> publisher) {
        return from(publisher, Long.MAX_VALUE);
    }

    /** Subscribes and requests some events, or none. */
    static Received from(Flow.Publisher<LiveEvent> publisher, long requested) {
        Received received = new Received(requested);
        publisher.subscribe(received);
        return received;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (requested > 0) {
            given.request(requested);
        }
    }

    @Override
    public void onNext(LiveEvent event) {
        events.add(event);
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
    }

    @Override
    public void onComplete() {
        completed = true;
    }

    void request(long count) {
        subscription().request(count);
    }

    void cancel() {
        subscription().cancel();
    }

    private Flow.Subscription subscription() {
        Flow.Subscription given = subscription;
        if (given == null) {
            throw new IllegalStateException("not subscribed");
        }
        return given;
    }

    List<LiveEvent> events() {
        return List.copyOf(events);
    }

    LiveEvent last() {
        return events.get(events.size() - 1);
    }

    /** The ids of the posts, in the order in which they arrived. */
    List<String> posts() {
        return events.stream()
                .filter(PostAdded.class::isInstance)
                .map(event -> ((PostAdded) event).post().id())
                .toList();
    }

    <T extends LiveEvent> List<T> of(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    boolean isCompleted() {
        return completed;
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits until the posts have arrived, in this order. */
    void awaitPosts(String... ids) {
        await().atMost(LONGEST).until(this::posts, List.of(ids)::equals);
    }

    void awaitEvents(int count) {
        await().atMost(LONGEST).until(() -> events.size() >= count);
    }
}
