package io.feedkit.examples.microblog.stream;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.announcement.Bulletins;
import io.feedkit.live.LiveEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The streams of this process. It writes to all of them now and then, sends announcements to all, and ends them when the
 * application stops, which would otherwise wait for them.
 */
@Component
class OpenStreams implements SmartLifecycle {

    /** A reader who follows the author of announcements: one subscription for all streams of a process. */
    private static final String EVERYBODY = "everybody";

    /** As often as Mastodon does. */
    private static final Duration BEAT = Duration.ofSeconds(15);

    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Before the web server stops. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private static final Logger log = LoggerFactory.getLogger(OpenStreams.class);

    private final FeedEngine feed;
    private final EventTexts texts;
    private final Bulletins bulletins;
    private final JsonMapper json;
    private final Set<UserStream> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ScheduledExecutorService timer;

    OpenStreams(FeedEngine feed, EventTexts texts, Bulletins bulletins, JsonMapper json) {
        this.feed = feed;
        this.texts = texts;
        this.bulletins = bulletins;
        this.json = json;
    }

    /**
     * Opens a stream.
     *
     * @param since where the home feed begins; empty for now
     * @param ownPage whether the client knows the events that only FeedKit has
     */
    UserStream open(Account me, Outlet outlet, Optional<Cursor> since, boolean ownPage) {
        UserStream stream = new UserStream(me.key(), outlet, texts, ownPage);
        open.add(stream);
        stream.open(
                since.map(cursor -> feed.live(me.key(), cursor)).orElseGet(() -> feed.live(me.key())),
                feed.live(me.notifier())); // an author sees its own posts
        if (!isRunning()) {
            end(stream);
        }
        return stream;
    }

    void leave(UserStream stream) {
        open.remove(stream);
        stream.leave();
    }

    void end(UserStream stream) {
        open.remove(stream);
        stream.close();
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(action -> {
            Thread thread = new Thread(action, "microblog-streams");
            thread.setDaemon(true);
            return thread;
        });
        timer = started;
        ScheduledFuture<?> unused =
                started.scheduleWithFixedDelay(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
        started.execute(() -> subscribe(started));
    }

    void beat() {
        open.forEach(UserStream::beat);
    }

    private void subscribe(ScheduledExecutorService timer) {
        trying(timer, () -> {
            feed.follow(EVERYBODY, Bulletins.AUTHOR);
            feed.live(EVERYBODY).subscribe(new AnnouncementPart(timer));
        });
    }

    /** Repeats an action until the database answers. */
    private static void trying(ScheduledExecutorService timer, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.debug("trying again soon", e);
            ScheduledFuture<?> unused =
                    timer.schedule(() -> trying(timer, action), RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void announce(String id) {
        bulletins
                .find(id)
                .map(json::writeValueAsString)
                .map(text -> new Message("announcement", text))
                .ifPresent(message -> open.forEach(stream -> stream.send(message)));
    }

    private final class AnnouncementPart implements Flow.Subscriber<LiveEvent> {

        private final ScheduledExecutorService timer;

        AnnouncementPart(ScheduledExecutorService timer) {
            this.timer = timer;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(LiveEvent event) {
            if (event instanceof LiveEvent.PostAdded added) {
                timer.execute(() -> trying(timer, () -> announce(added.post().id())));
            }
        }

        @Override
        public void onError(Throwable failure) {
            subscribe(timer);
        }

        /** The engine was closed. */
        @Override
        public void onComplete() {}
    }

    @Override
    public void stop() {
        ScheduledExecutorService running = timer;
        timer = null;
        if (running != null) {
            running.shutdownNow();
        }
        open.forEach(this::end);
    }

    @Override
    public boolean isRunning() {
        return timer != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
