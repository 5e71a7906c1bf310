package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testkit.internal.Interception;
import io.feedkit.testkit.internal.Interception.Call;
import java.lang.reflect.InvocationTargetException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in memory whose posts the host can edit, and that can be restored from a backup, with its log and register.
 * It records all calls that change something. A restored outbox is a new one on which the calls from before the backup
 * are repeated. One thread at a time.
 */
final class RestorableOutbox implements ForwardingOutbox {

    private record Change(Instant time, Consumer<EditableOutbox> call) {}

    /** A clock that shows the times of earlier calls while they are repeated. */
    private static final class ReplayClock extends Clock {

        private final Clock present;
        private @Nullable Instant earlier;

        ReplayClock(Clock present) {
            this.present = present;
        }

        @Override
        public Instant instant() {
            return earlier == null ? present.instant() : earlier;
        }

        @Override
        public ZoneId getZone() {
            return present.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("stores use no zones");
        }
    }

    private final SettableClock clock;
    private final String identity;
    private final List<Change> changes = new ArrayList<>();
    private EditableOutbox posts;
    private Outbox current;
    private PulledRegister pulled;
    private FanoutLog log;

    RestorableOutbox(SettableClock clock) {
        this.clock = clock;
        InMemoryFeedStore first = InMemoryFeedStore.create(clock);
        identity = first.outbox().identity();
        posts = new EditableOutbox(first.outbox());
        current = recorded(first);
        pulled = current.pulled();
        log = current.fanout();
    }

    /** The given outbox, if it can be restored. */
    static Optional<RestorableOutbox> of(Outbox outbox) {
        return outbox instanceof RestorableOutbox restorable ? Optional.of(restorable) : Optional.empty();
    }

    private Outbox recorded(InMemoryFeedStore store) {
        FeedStore editable = FeedStore.of(posts, store::inbox, store.graph(), store.seenMarks());
        return new Interception(editable, this::record).outbox();
    }

    private @Nullable Object record(Call call) throws Throwable {
        if (!call.isRead()) {
            String part = call.operation().substring(0, call.operation().indexOf('.'));
            changes.add(new Change(clock.instant(), outbox -> repeat(part, call, outbox)));
        }
        return call.proceed();
    }

    /** Changes the time of a post, as a host does in its own table. */
    void edit(Post moved) {
        changes.add(new Change(clock.instant(), outbox -> outbox.edit(moved)));
        posts.edit(moved);
    }

    /** Makes a backup, which is the number of changes so far. */
    int backup() {
        return changes.size();
    }

    /** Restores a backup. No engine may use this outbox meanwhile, or keep its caches. */
    void restore(int backup) {
        changes.subList(backup, changes.size()).clear();
        ReplayClock replaying = new ReplayClock(clock);
        InMemoryFeedStore restored = InMemoryFeedStore.create(replaying);
        posts = new EditableOutbox(restored.outbox());
        for (Change change : changes) {
            replaying.earlier = change.time();
            change.call().accept(posts);
        }
        replaying.earlier = null;
        current = recorded(restored);
        pulled = current.pulled();
        log = current.fanout();
    }

    private static void repeat(String part, Call call, Outbox outbox) {
        Object target = switch (part) {
            case "pulled" -> outbox.pulled();
            case "fanout" -> outbox.fanout();
            default -> outbox;
        };
        try {
            call.method().invoke(target, call.arguments().toArray());
        } catch (InvocationTargetException e) {
            // The call also failed the first time.
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Outbox delegate() {
        return current;
    }

    /** The first outbox's identity: a database keeps it when it is restored. */
    @Override
    public String identity() {
        return identity;
    }

    @Override
    public PulledRegister pulled() {
        return pulled;
    }

    @Override
    public FanoutLog fanout() {
        return log;
    }
}
