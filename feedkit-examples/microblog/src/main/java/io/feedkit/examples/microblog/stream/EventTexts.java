package io.feedkit.examples.microblog.stream;

import io.feedkit.Post;
import io.feedkit.examples.microblog.notification.NotificationViews;
import io.feedkit.examples.microblog.status.BoostRule;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.status.StatusViews;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of events. A status goes to many readers at about the same time, so statuses are loaded in batches:
 * requests that arrive while a batch loads form the next batch, and each status in it is loaded and written once. A
 * boost is also compared with each reader's feed.
 */
@Component
class EventTexts implements DisposableBean {

    private static final int LARGEST_BATCH = 1000;
    private static final int THREADS = 2;

    private record Request(String reader, Post post, CompletableFuture<Optional<String>> answer) {}

    private final StatusViews statuses;
    private final BoostRule boosts;
    private final NotificationViews notifications;
    private final JsonMapper json;
    private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, EventTexts::thread);
    private final ExecutorService notificationThreads = Executors.newFixedThreadPool(THREADS, EventTexts::thread);

    EventTexts(StatusViews statuses, BoostRule boosts, NotificationViews notifications, JsonMapper json) {
        this.statuses = statuses;
        this.boosts = boosts;
        this.notifications = notifications;
        this.json = json;
        for (int i = 0; i < THREADS; i++) {
            Future<?> unused = threads.submit(this::loadAll);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "microblog-event-texts");
        thread.setDaemon(true);
        return thread;
    }

    /** The status of a post, for a reader's stream; empty if it is gone, or is a boost that the feed leaves out. */
    CompletableFuture<Optional<String>> status(String reader, Post post) {
        Request request = new Request(reader, post, new CompletableFuture<>());
        requests.add(request);
        return request.answer();
    }

    /** A notification; empty if it is gone. */
    CompletableFuture<Optional<String>> notification(String reader, Post post) {
        return CompletableFuture.supplyAsync(
                () -> notifications.find(reader, post).map(json::writeValueAsString), notificationThreads);
    }

    private void loadAll() {
        try {
            while (true) {
                List<Request> batch = new ArrayList<>(List.of(requests.take()));
                requests.drainTo(batch, LARGEST_BATCH - 1);
                load(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the application stops
        }
    }

    private void load(List<Request> batch) {
        try {
            List<String> ids = batch.stream()
                    .map(request -> request.post().id())
                    .distinct()
                    .toList();
            Map<String, StatusView> found = statuses.forAnybody(ids);
            Map<String, String> texts = new HashMap<>();
            found.forEach((id, view) -> texts.put(id, json.writeValueAsString(view)));
            batch.forEach(request -> answer(request, found, texts));
        } catch (RuntimeException e) {
            batch.forEach(request -> request.answer().completeExceptionally(e));
        }
    }

    private void answer(Request request, Map<String, StatusView> found, Map<String, String> texts) {
        try {
            request.answer()
                    .complete(Optional.ofNullable(found.get(request.post().id()))
                            .filter(view -> view.reblog() == null || isShown(request))
                            .flatMap(view -> Optional.ofNullable(texts.get(view.id()))));
        } catch (RuntimeException e) {
            request.answer().completeExceptionally(e);
        }
    }

    private boolean isShown(Request request) {
        return boosts.load(request.reader(), List.of(request.post())).containsKey(request.post());
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
        notificationThreads.shutdownNow();
    }
}
