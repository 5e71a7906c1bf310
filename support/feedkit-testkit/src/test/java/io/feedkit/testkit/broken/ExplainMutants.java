package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.inbox;
import static io.feedkit.testkit.broken.Mutant.log;
import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.TaskState;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.AnInbox;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Stores that mislead an operator about tasks, tombstones and live windows. */
final class ExplainMutants {

    static final List<Mutant> ALL = List.of(
            log("finds tasks of other authors", "FindingTasks.none", (log, clock) -> new ALog(log) {
                @Override
                public Found find(String author, int among) {
                    return sound.find("bo", among);
                }
            }),
            finds(
                    "does not find leased tasks",
                    "FindingTasks.leased",
                    only(found -> found.state() != TaskState.LEASED)),
            finds("does not find lent tasks", "FindingTasks.lent", only(found -> found.state() != TaskState.LENT)),
            finds("does not find dead tasks", "FindingTasks.dead", only(found -> found.state() != TaskState.DEAD)),
            finds(
                    "does not find the first task",
                    "FindingTasks.all",
                    found -> new Found(found.tasks().stream().skip(1).toList(), true)),
            finds(
                    "finds tasks without the end of their lease",
                    "FindingTasks.leased",
                    found -> new Found(
                            found.tasks().stream()
                                    .map(each -> new FoundTask(each.task(), each.state(), 0, each.reason()))
                                    .toList(),
                            true)),
            finds(
                    "calls every answer partial, even an empty one",
                    "FindingTasks.gone",
                    found -> new Found(found.tasks(), false)),
            outbox("takes posts for tombstones", "Deleting.findsTombstones", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public Set<PostKey> tombstones(Collection<PostKey> keys) {
                    return Set.copyOf(keys);
                }
            }),
            outbox(
                    "finds no tombstone of what was never published",
                    "Deleting.findsTombstones",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public Set<PostKey> tombstones(Collection<PostKey> keys) {
                            return Set.of();
                        }
                    }),
            inbox("tells windows of nobody", "LiveWindow.tellingDoesNotRenew", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Window> windows(List<String> readers) {
                    return readers.stream().map(reader -> new Window(1, 2)).toList();
                }
            }),
            inbox(
                    "renews windows that it tells",
                    "LiveWindow.tellingDoesNotRenew",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<Window> windows(List<String> readers) {
                            sound.slice(readers.stream()
                                    .map(reader ->
                                            new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, true))
                                    .toList());
                            return sound.windows(readers);
                        }
                    }),
            inbox("tells when it was asked", "LiveWindow.tellsExpiredWindows", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Window> windows(List<String> readers) {
                    long now = clock.millis();
                    return sound.windows(readers).stream()
                            .map(window -> window.equals(Window.UNKNOWN) ? window : new Window(now, window.endsAt()))
                            .toList();
                }
            }));

    private ExplainMutants() {}

    private static UnaryOperator<Found> only(Predicate<FoundTask> kept) {
        return found -> new Found(found.tasks().stream().filter(kept).toList(), found.whole());
    }

    private static Mutant finds(String name, String caughtBy, UnaryOperator<Found> change) {
        return log(name, caughtBy, (log, clock) -> new ALog(log) {
            @Override
            public Found find(String author, int among) {
                return change.apply(sound.find(author, among));
            }
        });
    }
}
