package io.feedkit.examples.microblog.stream;

import io.feedkit.Post;
import io.feedkit.live.LiveEvent;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.live.LiveEvent.PostDeleted;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;

/** The live feeds of an account on one connection. Thread-safe. */
final class UserStream {

    /** How many events may be on their way. With fewer, a busy feed would wait for each load of a status. */
    private static final int WINDOW = 32;

    private final String reader;
    private final Outlet outlet;
    private final EventTexts texts;
    private final boolean ownPage;
    private final List<Flow.Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /**
     * @param ownPage whether the client knows the events that only FeedKit has
     */
    UserStream(String reader, Outlet outlet, EventTexts texts, boolean ownPage) {
        this.reader = reader;
        this.outlet = outlet;
        this.texts = texts;
        this.ownPage = ownPage;
    }

    void open(Flow.Publisher<LiveEvent> home, Flow.Publisher<LiveEvent> notifications) {
        home.subscribe(new Part() {
            @Override
            CompletableFuture<Optional<Message>> message(LiveEvent event) {
                return ofHome(event);
            }
        });
        notifications.subscribe(new Part() {
            @Override
            CompletableFuture<Optional<Message>> message(LiveEvent event) {
                return ofNotifications(event);
            }
        });
    }

    private CompletableFuture<Optional<Message>> ofHome(LiveEvent event) {
        Optional<String> cursor = Optional.of(event.cursor().toString());
        if (event instanceof PostAdded added) {
            Post post = added.post();
            return texts.status(reader, post).thenApply(text -> text.map(json -> new Message("update", json, cursor)));
        }
        Optional<Message> other = event instanceof PostDeleted deleted
                ? Optional.of(new Message("delete", deleted.key().id(), cursor))
                : Optional.of(event)
                        .filter(any -> ownPage)
                        .map(any -> new Message(
                                any instanceof LiveEvent.CatchUp ? "feedkit.catch_up" : "feedkit.feed_changed",
                                "{}",
                                cursor));
        return CompletableFuture.completedFuture(other);
    }

    private CompletableFuture<Optional<Message>> ofNotifications(LiveEvent event) {
        return event instanceof PostAdded added
                ? texts.notification(reader, added.post())
                        .thenApply(text -> text.map(json -> new Message("notification", json)))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Sends a message that all streams get. */
    void send(Message message) {
        outlet.send(message, () -> {});
    }

    void beat() {
        outlet.beat();
    }

    /** Ends the stream, and leaves the connection open. Idempotent. */
    void leave() {
        closed = true;
        subscriptions.forEach(Flow.Subscription::cancel);
    }

    /** Ends the stream and its connection. Idempotent. */
    void close() {
        leave();
        outlet.close();
    }

    /** One of the feeds. It requests an event for each that the client has taken. */
    private abstract class Part implements Flow.Subscriber<LiveEvent> {

        private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

        /** Done when the latest event is on its way. Used by one thread at a time. */
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

        abstract CompletableFuture<Optional<Message>> message(LiveEvent event);

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscriptions.add(given);
            subscription.complete(given);
            if (closed) {
                given.cancel();
            }
            given.request(WINDOW);
        }

        private void more() {
            subscription.join().request(1);
        }

        /** An event that cannot be loaded ends the stream: the client connects again, and misses nothing. */
        @Override
        public void onNext(LiveEvent event) {
            last = last.thenCombine(message(event), (before, message) -> message)
                    .thenAccept(message -> message.ifPresentOrElse(found -> outlet.send(found, this::more), this::more))
                    .exceptionally(failure -> {
                        close();
                        return null;
                    });
        }

        @Override
        public void onError(Throwable failure) {
            close();
        }

        @Override
        public void onComplete() {
            close();
        }
    }
}
