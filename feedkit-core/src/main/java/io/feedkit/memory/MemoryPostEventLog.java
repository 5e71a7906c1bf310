package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.PostEventLog;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The post events that are not sent yet, oldest first, and in the order of their turns, under one lock. */
final class MemoryPostEventLog implements PostEventLog {

    /** An event, and its sort keys in {@code turns}. The keys change only while the event is not in that set. */
    private static final class LoggedEvent {
        final PostEvent event;
        long due;
        long turn;
        long lease;

        LoggedEvent(PostEvent event) {
            this.event = event;
        }
    }

    private static final long WAITS = 0;

    private final Clock clock;
    private final Map<String, LoggedEvent> unsent = new LinkedHashMap<>();
    private final TreeSet<LoggedEvent> turns = new TreeSet<>(
            Comparator.<LoggedEvent>comparingLong(logged -> logged.due).thenComparingLong(logged -> logged.turn));
    private long time;
    private long lastTurn;
    private long lastLease;

    MemoryPostEventLog(Clock clock) {
        this.clock = clock;
    }

    /** Records an event. */
    void record(PostEvent.Type type, Post post) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            PostEvent event = new PostEvent(UUID.randomUUID().toString(), type, post, Instant.ofEpochMilli(time));
            LoggedEvent logged = new LoggedEvent(event);
            unsent.put(event.id(), logged);
            add(logged, time);
        }
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            List<LoggedEvent> next = new ArrayList<>();
            for (Iterator<LoggedEvent> due = turns.iterator(); due.hasNext() && next.size() < max; ) {
                LoggedEvent logged = due.next();
                if (logged.due > time) {
                    break;
                }
                due.remove();
                next.add(logged);
            }
            for (LoggedEvent logged : next) {
                logged.lease = ++lastLease;
                add(logged, Deadline.of(time, leaseMillis));
            }
            return next.stream()
                    .map(logged -> new Claim(logged.event, logged.lease))
                    .toList();
        }
    }

    @Override
    public List<Boolean> finish(List<Claim> claims) {
        return eachLeased(claims, logged -> unsent.remove(logged.event.id()));
    }

    @Override
    public List<Boolean> release(List<Claim> claims) {
        return eachLeased(claims, logged -> {
            logged.lease = WAITS;
            add(logged, time);
        });
    }

    @Override
    public synchronized Unsent unsent() {
        return unsent.isEmpty()
                ? new Unsent(0, 0)
                : new Unsent(
                        Math.min(unsent.size(), COUNTED_AT_MOST),
                        unsent.values().iterator().next().event.recordedAt().toEpochMilli());
    }

    /** Takes leased events out of {@code turns}, and applies a change to each. */
    private List<Boolean> eachLeased(List<Claim> claims, Consumer<LoggedEvent> change) {
        long now = clock.millis();
        List<Boolean> answers = new ArrayList<>(claims.size());
        synchronized (this) {
            advance(now);
            for (Claim claim : claims) {
                LoggedEvent logged = unsent.get(claim.event().id());
                boolean leased = isLeased(logged, claim.lease());
                if (logged != null && leased) {
                    turns.remove(logged);
                    change.accept(logged);
                }
                answers.add(leased);
            }
        }
        return Collections.unmodifiableList(answers);
    }

    private boolean isLeased(@Nullable LoggedEvent logged, long lease) {
        return logged != null && logged.lease == lease && lease != WAITS && logged.due > time;
    }

    private void add(LoggedEvent logged, long due) {
        logged.due = due;
        logged.turn = ++lastTurn;
        turns.add(logged);
    }

    /** The clock is read before the lock is taken, so times may arrive out of order. */
    private void advance(long now) {
        time = Math.max(time, now);
    }
}
