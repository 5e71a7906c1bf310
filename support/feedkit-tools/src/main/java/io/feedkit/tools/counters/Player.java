package io.feedkit.tools.counters;

import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.tools.counters.CounterStores.OpenStore;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Applies the operations of a trace, through the public API. Thread-safe. */
final class Player {

    private final OpenStore opened;
    final UnreadCounter unread;
    final Conversations conversations;
    final Announcements announcements;
    final RedDots dots;
    final Counters counters;
    final Reactions likes;
    final Views views;

    private final Map<String, UnreadCounts> peeked = new ConcurrentHashMap<>();
    private final AtomicLong refused = new AtomicLong();
    private final Lock retracting = new ReentrantLock();

    Player(OpenStore opened, Duration window) {
        this.opened = opened;
        CounterStore store = opened.store();
        unread = UnreadCounter.of(store);
        conversations = Conversations.of(store);
        announcements = Announcements.of(store);
        dots = RedDots.of(store);
        counters = Counters.of(store);
        likes = Reactions.of(store);
        views = Views.of(store, window, new LineClock());
    }

    /** The time of the operation that the thread applies. */
    private static final ThreadLocal<Instant> now = ThreadLocal.withInitial(() -> Instant.EPOCH);

    private static final class LineClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now.get();
        }
    }

    long refused() {
        return refused.get();
    }

    void play(Operation line) {
        now.set(Instant.ofEpochMilli(line.millis()));
        try {
            apply(line);
        } catch (IllegalArgumentException | ArithmeticException | NotAMemberException e) {
            refused.incrementAndGet();
        }
    }

    private void apply(Operation line) {
        switch (line.name()) {
            case "inc" -> add(List.of(line.argument(0)), line.argument(1), line.number(2), line);
            case "incall" -> add(line.list(2), line.argument(0), line.number(1), line);
            case "clear" -> unread.markAllSeen(line.argument(0), line.argument(1));
            case "clearall" ->
                unread.markSeen(line.argument(0), unread.get(line.argument(0)).counted());
            case "peek" ->
                peeked.put(line.argument(2), unread.get(line.argument(0)).only(line.argument(1)));
            case "clearseen" -> {
                UnreadCounts shown = peeked.get(line.argument(0));
                if (shown != null) {
                    unread.markSeen(shown.user(), shown.counted());
                }
            }
            case "retract" -> retract(line.argument(0), line.argument(1), line.number(2));
            case "join" -> conversations.join(line.argument(0), line.argument(1));
            case "leave" -> conversations.leave(line.argument(0), line.argument(1));
            case "msg" -> conversations.add(line.argument(0), line.argument(1));
            case "read" -> conversations.markSeen(line.argument(0), line.argument(1), line.number(2));
            case "readall" -> conversations.markAllSeen(line.argument(0), line.argument(1));
            case "unsend" -> conversations.remove(line.argument(0), line.number(1));
            default -> applyRest(line);
        }
    }

    private void applyRest(Operation line) {
        switch (line.name()) {
            case "notice" -> announcements.add(line.argument(0), line.argument(1));
            case "withdraw" -> announcements.remove(line.argument(0));
            case "enter" -> announcements.enter(line.argument(0));
            case "saw" -> announcements.markAllSeen(line.argument(0));
            case "light" -> dots.add(line.argument(0));
            case "lightfor" -> dots.add(line.argument(0), line.list(1));
            case "douse" -> dots.remove(line.argument(0));
            case "tap" -> {
                if (line.has(2)) {
                    dots.markSeen(line.argument(0), line.argument(1), line.number(2));
                } else {
                    dots.markSeen(line.argument(0), line.argument(1));
                }
            }
            case "like" -> likes.add(line.argument(0), line.argument(1));
            case "unlike" -> likes.remove(line.argument(0), line.argument(1));
            case "view" -> views.add(line.argument(0), line.argument(1));
            case "add" -> {
                if (line.has(3)) {
                    counters.add(line.argument(0), line.argument(1), line.number(2), line.argument(3));
                } else {
                    counters.add(line.argument(0), line.argument(1), line.number(2));
                }
            }
            case "drop" -> {
                likes.forgetPost(line.argument(0));
                views.forgetPost(line.argument(0));
            }
            case "forget" -> FeedCounters.of(opened.store()).forget(line.argument(0));
            case "flush" -> opened.flush().run();
            case "lose" -> opened.lose().run();
            default -> throw new IllegalStateException("unknown operation: " + line.name());
        }
    }

    /**
     * A trace does not name the additions that are taken back. Additions without an operation's id are taken back
     * first. For the rest, the player marks the same number of additions with an id as seen.
     */
    private void retract(String user, String type, long amount) {
        long left = amount - unread.remove(user, type, amount);
        if (left == 0) {
            return;
        }
        retracting.lock();
        try {
            UnreadCounts counts = unread.get(user);
            String once = type + " once";
            Long counted = counts.counted().get(once);
            if (counted != null) {
                unread.markSeen(user, Map.of(once, counted - Math.max(0, counts.of(type) - left)));
            }
        } finally {
            retracting.unlock();
        }
    }

    private void add(List<String> users, String type, long amount, Operation line) {
        if (line.has(3)) {
            unread.add(users, type, amount, line.argument(3));
        } else {
            unread.add(users, type, amount);
        }
    }
}
