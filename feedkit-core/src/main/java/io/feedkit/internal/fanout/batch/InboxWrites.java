package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.event.PostDelivered;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Inserts the posts of a batch into inboxes, or removes them, and reports the deliveries. Thread-safe. */
public final class InboxWrites {

    /** From how many posts of a task a call that delivers the newest alone pays off. */
    private static final int PROBED_FROM = 10;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final CheckedInserts inserts;
    private final DeliveryLossRecovery losses;
    private final GuardedListener listener;

    public InboxWrites(
            EngineSettings settings,
            Inbox inbox,
            CheckedInserts inserts,
            DeliveryLossRecovery losses,
            GuardedListener listener) {
        this.settings = settings;
        this.inbox = inbox;
        this.inserts = inserts;
        this.losses = losses;
        this.listener = listener;
    }

    /**
     * Inserts the oldest posts first: an inbox needs no search for a post above all its entries. If a task has many
     * posts, the newest is inserted before all others: a reader without an inbox, or whose inbox begins above that
     * post, needs no other.
     */
    void insert(FanoutBatch batch) {
        List<ClaimedTask> oldestFirst = batch.done().stream()
                .filter(task ->
                        !task.steps().removesPost() && !batch.readers(task).isEmpty())
                .sorted(Comparator.comparing(task -> task.task().newest()))
                .toList();
        Deliveries first = new Deliveries(batch);
        for (ClaimedTask task : oldestFirst) {
            if (isProbed(batch, task)) {
                first.add(task, 0, batch.readers(task));
            }
        }
        first.insert();
        Deliveries rest = new Deliveries(batch);
        for (ClaimedTask task : oldestFirst) {
            boolean probed = isProbed(batch, task);
            List<String> readers = probed ? first.holding(task) : batch.readers(task);
            for (int i = batch.due(task) - 1; i >= (probed ? 1 : 0) && !readers.isEmpty(); i--) {
                rest.add(task, i, readers);
            }
        }
        Set<Post> deleted = rest.insert();
        if (!deleted.isEmpty()) {
            batch.done().stream()
                    .filter(task -> task.steps().insertsPost() && deleted.contains(task.post()))
                    .forEach(batch::removeFollowers);
        }
    }

    void retract(FanoutBatch batch) {
        List<Retraction> retractions = new ArrayList<>();
        List<Removal> removals = new ArrayList<>();
        for (ClaimedTask task : batch.done()) {
            List<String> readers = batch.readers(task);
            if (task.steps().removesPost() && !readers.isEmpty()) {
                if (task.task().newest().millis() == Position.UNKNOWN_TIME) {
                    removals.add(new Removal(task.task().key(), readers));
                } else {
                    retractions.add(new Retraction(task.post(), readers));
                }
            }
        }
        if (!retractions.isEmpty()) {
            inbox.retract(retractions);
            batch.markCalledInbox();
        }
        if (!removals.isEmpty()) {
            inbox.remove(removals);
            batch.markCalledInbox();
        }
    }

    private static boolean isProbed(FanoutBatch batch, ClaimedTask task) {
        return batch.due(task) >= PROBED_FROM;
    }

    /** Deliveries that are made in one call. */
    private final class Deliveries {

        private final FanoutBatch batch;
        private final List<Delivery> made = new ArrayList<>();
        private final List<ClaimedTask> of = new ArrayList<>();
        private final Map<ClaimedTask, List<String>> holding = new HashMap<>();

        Deliveries(FanoutBatch batch) {
            this.batch = batch;
        }

        /** Adds the delivery of a task's post. Post 0 of a task is its newest. */
        void add(ClaimedTask task, int post, List<String> readers) {
            long activeSince =
                    settings.now() - settings.fanout().activePush().window().toMillis();
            of.add(task);
            made.add(new Delivery(
                    batch.posts(task).get(post), readers, task.steps().isPaced() ? activeSince : 0));
        }

        /** Makes the deliveries, and returns the posts that turned out to be deleted. */
        Set<Post> insert() {
            if (made.isEmpty()) {
                return Set.of();
            }
            Set<Post> deleted = inserts.deliver(made, this::delivered);
            batch.markCalledInbox();
            return deleted;
        }

        /** The readers whose inboxes hold the post that was delivered for a task. */
        List<String> holding(ClaimedTask task) {
            return holding.getOrDefault(task, List.of());
        }

        private void delivered(List<List<Outcome>> outcomes) {
            for (int i = 0; i < made.size(); i++) {
                for (int j = 0; j < outcomes.get(i).size(); j++) {
                    String reader = made.get(i).readers().get(j);
                    switch (outcomes.get(i).get(j)) {
                        case UNREACHABLE -> batch.addUnreached(of.get(i), reader);
                        case ADDED, PRESENT ->
                            holding.computeIfAbsent(of.get(i), task -> new ArrayList<>())
                                    .add(reader);
                        case BELOW_FLOOR, NOT_LIVE -> {}
                    }
                    if (outcomes.get(i).get(j) != Outcome.PRESENT) {
                        batch.markRenewing(of.get(i));
                    }
                }
            }
            reportDelivered(made, of, outcomes);
        }
    }

    private void reportDelivered(List<Delivery> deliveries, List<ClaimedTask> of, List<List<Outcome>> outcomes) {
        if (!listener.hasListener()) {
            return;
        }
        for (int i = 0; i < deliveries.size(); i++) {
            Delivery delivery = deliveries.get(i);
            List<String> added = new ArrayList<>();
            Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
            for (int j = 0; j < delivery.readers().size(); j++) {
                Outcome outcome = outcomes.get(i).get(j);
                counts.merge(outcome, 1, Integer::sum);
                if (outcome == Outcome.ADDED) {
                    added.add(delivery.readers().get(j));
                }
            }
            PostDelivered event = PostDelivered.builder(delivery.post())
                    .readers(added)
                    .present(counts.getOrDefault(Outcome.PRESENT, 0))
                    .belowFloor(counts.getOrDefault(Outcome.BELOW_FLOOR, 0))
                    .notLive(counts.getOrDefault(Outcome.NOT_LIVE, 0))
                    .afterSuspectedLoss(of.get(i).task().created() < losses.before())
                    .build();
            listener.notify(listener -> listener.delivered(event));
        }
    }
}
