package io.feedkit.internal.fanout;

import io.feedkit.Post;
import io.feedkit.event.PostDelivered;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.Registered;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.DeliveryLossRecovery;
import io.feedkit.internal.inbox.FollowersInboxes;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The next batch of followers of several tasks, processed together. One call fetches the follower pages of all tasks.
 * If much room is left, a second call fetches more followers. One call delivers the posts; there are two such calls if
 * a task has many posts. Each delivery is followed by a call that checks the tombstones. The batch inserts first,
 * then checks the tombstones, retracts deleted posts, and only then moves the cursors. So it can be repeated from any
 * point. When a task is claimed, the tombstones are also checked before the insertion, so that posts that were deleted
 * long ago do not show for a moment. Used by one thread.
 */
final class FanoutBatch {

    /** How many batches of deliveries one call may make for many small tasks together. */
    private static final int BATCHES_PER_CALL = 4;

    /** The fewest followers in a batch of a catch-up, for any number of posts. */
    private static final int FEWEST_FOLLOWERS = 20;

    /** How many posts of each author are looked at together. */
    private static final int FEW_POSTS = 32;

    /** From how many posts of a task a call that delivers the newest alone pays off. */
    private static final int PROBED_FROM = 10;

    private static final IdPage NOBODY = new IdPage(List.of(), false);

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final RegisterCache registerCache;
    private final GuardedListener listener;
    private final DeliveryLossRecovery losses;
    private final CheckedInserts inserts;
    private final FollowersInboxes followersInboxes;
    private final FeedSignals signals;
    private final List<ClaimedTask> tasks = new ArrayList<>();
    private final List<ClaimedTask> candidates;
    private final int share;
    private final Map<ClaimedTask, List<Post>> posts = new HashMap<>();
    private final Map<ClaimedTask, IdPage> pages = new LinkedHashMap<>();
    private final Map<ClaimedTask, Set<String>> unreached = new HashMap<>();
    /** The tasks that inserted posts which were not in the inboxes before. */
    private final Set<ClaimedTask> renewing = new HashSet<>();

    private boolean calledInbox;

    FanoutBatch(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FollowGraph graph,
            RegisterCache registerCache,
            GuardedListener listener,
            DeliveryLossRecovery losses,
            CheckedInserts inserts,
            FollowersInboxes followersInboxes,
            FeedSignals signals,
            List<ClaimedTask> candidates) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.graph = graph;
        this.registerCache = registerCache;
        this.listener = listener;
        this.losses = losses;
        this.inserts = inserts;
        this.followersInboxes = followersInboxes;
        this.signals = signals;
        this.candidates = candidates;
        int batch = settings.fanout().batchSize();
        this.share = Math.max(1, Math.min(batch, BATCHES_PER_CALL * batch / candidates.size()));
    }

    /** The tasks of which a batch was done: at least the first. */
    List<ClaimedTask> done() {
        return tasks;
    }

    /** The tasks for which the call had no room; they are unchanged. */
    List<ClaimedTask> putOff() {
        return candidates.subList(tasks.size(), candidates.size());
    }

    /** Whether the inboxes were called. A post that is only pulled does not need them. */
    boolean calledInbox() {
        return calledInbox;
    }

    /** Does one batch of each task, until the call is full, and moves its cursor. */
    void run() {
        choosePosts();
        registerUnpushed();
        fetchPages();
        insert();
        retract();
        if (signals.areWanted()) {
            signals.send(tasks.stream().flatMap(task -> signal(task).stream()).toList());
        }
        for (ClaimedTask task : tasks) {
            task.advance(page(task), unreached.getOrDefault(task, Set.of()));
        }
    }

    private void registerUnpushed() {
        List<Post> unpushed = new ArrayList<>();
        List<ClaimedTask> asked = new ArrayList<>();
        for (ClaimedTask task : tasks) {
            if (task.steps().registersPost() && task.isAtStart()) {
                if (task.steps().insertsPost() || isUnpushed(task)) {
                    unpushed.addAll(TaskSteps.ends(task.task()));
                } else {
                    asked.add(task);
                }
            }
        }
        if (!asked.isEmpty()) {
            Set<String> authors = followersInboxes.authorsWithAny(
                    asked.stream().map(task -> task.task().author()).toList());
            asked.stream()
                    .filter(task -> authors.contains(task.task().author()))
                    .forEach(task -> unpushed.addAll(TaskSteps.ends(task.task())));
        }
        if (!unpushed.isEmpty()) {
            registerCache.put(unpushed);
        }
    }

    private boolean isUnpushed(ClaimedTask task) {
        Registered known = registerCache.lastKnown(task.task().author());
        return TaskSteps.ends(task.task()).stream().allMatch(known::isUnpushed);
    }

    /** Chooses the posts of each task until they are enough for one call: a catch-up may have very many posts. */
    private void choosePosts() {
        Map<String, List<Post>> newest = newestOfRanges();
        Set<Post> gone = deletedBefore();
        int enough =
                Math.max(candidates.size(), BATCHES_PER_CALL * settings.fanout().batchSize());
        int planned = 0;
        for (ClaimedTask task : candidates) {
            if (planned >= enough) {
                break;
            }
            tasks.add(task);
            if (task.steps().isAboutRange()) {
                posts.put(task, ofRange(task, newest.getOrDefault(task.task().author(), List.of())));
            } else if (task.steps().insertsPost() && !gone.contains(task.post())) {
                posts.put(task, List.of(task.post()));
            }
            int due = due(task);
            planned += due == 0 ? 0 : due * followers(due);
        }
    }

    /** The newest posts of the authors of all tasks about ranges, in one call: most such tasks have few posts. */
    private Map<String, List<Post>> newestOfRanges() {
        List<ClaimedTask> ranges =
                candidates.stream().filter(task -> task.steps().isAboutRange()).toList();
        if (ranges.isEmpty()) {
            return Map.of();
        }
        List<String> authors =
                ranges.stream().map(task -> task.task().author()).distinct().toList();
        Position oldest = Collections.min(
                ranges.stream().map(task -> task.task().oldest()).toList());
        Position newest = Collections.max(
                ranges.stream().map(task -> task.task().newest()).toList());
        List<List<Post>> found = outbox.newest(authors, new PositionRange(oldest, newest.next()), FEW_POSTS);
        return IntStream.range(0, authors.size()).boxed().collect(Collectors.toMap(authors::get, found::get));
    }

    /** The posts of a task about a range, newest first, at most those that an inbox can hold, and one more. */
    private List<Post> ofRange(ClaimedTask task, List<Post> newestOfAuthor) {
        PositionRange range =
                new PositionRange(task.task().oldest(), task.task().newest().next());
        boolean complete = newestOfAuthor.size() < FEW_POSTS
                || range.from().compareOf(newestOfAuthor.get(newestOfAuthor.size() - 1)) <= 0;
        return complete
                ? newestOfAuthor.stream().filter(range::contains).toList()
                : outbox.newest(
                                List.of(task.task().author()),
                                range,
                                settings.limits().stored() + 1)
                        .get(0);
    }

    /** To how many followers {@code due} posts are delivered in one batch. */
    private int followers(int due) {
        return Math.max(Math.min(share, FEWEST_FOLLOWERS), share / due);
    }

    /**
     * Posts that were deleted before this worker claimed their tasks. If a post was deleted long ago, its retraction
     * may have ended, and nothing hides the post any more. If this worker inserted it and died before the check of the
     * tombstones, the post would stay in the inboxes. Recent tasks need no check: a retraction lasts longer.
     */
    private Set<Post> deletedBefore() {
        Set<Post> old = new HashSet<>();
        for (ClaimedTask task : candidates) {
            long age = settings.now() - task.task().created();
            boolean lately = 0 <= age && age < settings.fanout().lease().toMillis() / 2;
            if (task.isFresh() && !lately && task.steps().insertsPost()) {
                old.add(task.post());
            }
        }
        return new HashSet<>(inserts.deleted(old));
    }

    /**
     * Gives each task an equal share of the call, and the rest to tasks with more followers. So few posts need several
     * calls, and few posts arrive after newer ones.
     */
    private void fetchPages() {
        Map<ClaimedTask, Integer> shares = new LinkedHashMap<>();
        for (ClaimedTask task : tasks) {
            int due = due(task);
            if (due > 0) {
                shares.put(task, task.isProbing() ? 1 : followers(due));
            }
        }
        fetchPages(shares);
        fetchPages(leftOver());
    }

    /** How many more followers each unfinished task gets, if the call still has room for a batch. */
    private Map<ClaimedTask, Integer> leftOver() {
        int batch = settings.fanout().batchSize();
        List<ClaimedTask> unfinished = new ArrayList<>();
        int free = BATCHES_PER_CALL * batch;
        for (Map.Entry<ClaimedTask, IdPage> page : pages.entrySet()) {
            free -= page.getValue().ids().size() * due(page.getKey());
            if (page.getValue().more() && !page.getKey().isProbing()) {
                unfinished.add(page.getKey());
            }
        }
        if (unfinished.isEmpty() || free < batch) {
            return Map.of();
        }
        Map<ClaimedTask, Integer> shares = new LinkedHashMap<>();
        int most = free / unfinished.size();
        for (ClaimedTask task : unfinished) {
            int due = due(task);
            int room = batch - page(task).ids().size() * due;
            int more = Math.min(most, room) / due;
            if (more > 0) {
                shares.put(task, more);
            }
        }
        return shares;
    }

    private int due(ClaimedTask task) {
        return task.steps().removesPost()
                ? 1
                : posts.getOrDefault(task, List.of()).size();
    }

    /** Fetches more followers for each task, as many as its share. */
    private void fetchPages(Map<ClaimedTask, Integer> shares) {
        if (shares.isEmpty()) {
            return;
        }
        List<FollowerQuery> queries = new ArrayList<>();
        shares.forEach((task, followers) ->
                queries.add(new FollowerQuery(task.task().author(), task.task().range(), after(task), followers)));
        Iterator<IdPage> answers = graph.followers(queries).iterator();
        shares.keySet().forEach(task -> pages.merge(task, answers.next(), FanoutBatch::joined));
    }

    private String after(ClaimedTask task) {
        List<String> ids = page(task).ids();
        return ids.isEmpty() ? task.after() : ids.get(ids.size() - 1);
    }

    private static IdPage joined(IdPage first, IdPage second) {
        List<String> ids = new ArrayList<>(first.ids());
        ids.addAll(second.ids());
        return new IdPage(ids, second.more());
    }

    /**
     * Inserts the oldest posts first: an inbox needs no search for a post above all its entries. If a task has many
     * posts, the newest is inserted before all others: a reader without an inbox, or whose inbox begins above that
     * post, needs no other.
     */
    private void insert() {
        List<ClaimedTask> oldestFirst = tasks.stream()
                .filter(task -> !task.steps().removesPost() && !readers(task).isEmpty())
                .sorted(Comparator.comparing(task -> task.task().newest()))
                .toList();
        Deliveries first = new Deliveries();
        for (ClaimedTask task : oldestFirst) {
            if (isProbed(task)) {
                first.add(task, 0, readers(task));
            }
        }
        first.insert();
        Deliveries rest = new Deliveries();
        for (ClaimedTask task : oldestFirst) {
            boolean probed = isProbed(task);
            List<String> readers = probed ? first.holding(task) : readers(task);
            for (int i = due(task) - 1; i >= (probed ? 1 : 0) && !readers.isEmpty(); i--) {
                rest.add(task, i, readers);
            }
        }
        Set<Post> deleted = rest.insert();
        if (!deleted.isEmpty()) {
            tasks.stream()
                    .filter(task -> task.steps().insertsPost() && deleted.contains(task.post()))
                    .forEach(task -> {
                        pages.remove(task);
                        unreached.remove(task);
                    });
        }
    }

    private void retract() {
        List<Retraction> retractions = new ArrayList<>();
        List<Removal> removals = new ArrayList<>();
        for (ClaimedTask task : tasks) {
            List<String> readers = readers(task);
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
            calledInbox = true;
        }
        if (!removals.isEmpty()) {
            inbox.remove(removals);
            calledInbox = true;
        }
    }

    /** What changed by this batch of a task, for the followers of the batch. */
    private Optional<Signal> signal(ClaimedTask task) {
        TaskSteps steps = task.steps();
        if (steps.retractsLater() || steps.removesPost()) {
            return task.isAtStart() ? Optional.of(new Signal.Deleted(task.task().key())) : Optional.empty();
        }
        String author = task.task().author();
        if (steps.registersPost() && TaskSteps.postOf(task.task()).isEmpty()) {
            return Optional.of(new Signal.Changed(author, KeyRange.ALL, false));
        }
        // Posts of other kinds of tasks were visible before, by the register.
        if (!steps.showsInInboxesOnly() || !pages.containsKey(task)) {
            return Optional.empty();
        }
        List<Post> delivered = posts.getOrDefault(task, List.of());
        boolean repeated = task.task().created() < losses.before();
        return Optional.of(
                delivered.size() == 1 && !repeated
                        ? new Signal.Visible(
                                delivered.get(0),
                                batchRange(task),
                                renewing.contains(task) ? Signal.By.INSERTION : Signal.By.REPETITION)
                        : new Signal.Changed(author, batchRange(task), repeated));
    }

    /** The range of the followers of this batch. The author's own inbox is handled before all followers. */
    private KeyRange batchRange(ClaimedTask task) {
        KeyRange all = task.task().range();
        List<String> ids = page(task).ids();
        String from = task.after().isEmpty() ? all.from() : Signal.after(task.after());
        return page(task).more() && !ids.isEmpty()
                ? new KeyRange(from, Signal.after(ids.get(ids.size() - 1)))
                : new KeyRange(from, all.below());
    }

    private List<String> readers(ClaimedTask task) {
        return pages.containsKey(task) ? task.readers(page(task), settings.ownPosts()) : List.of();
    }

    private IdPage page(ClaimedTask task) {
        return pages.getOrDefault(task, NOBODY);
    }

    private boolean isProbed(ClaimedTask task) {
        return due(task) >= PROBED_FROM;
    }

    /** Deliveries that are made in one call. */
    private final class Deliveries {

        private final List<Delivery> made = new ArrayList<>();
        private final List<ClaimedTask> of = new ArrayList<>();
        private final Map<ClaimedTask, List<String>> holding = new HashMap<>();

        /** Adds the delivery of a task's post. Post 0 of a task is its newest. */
        void add(ClaimedTask task, int post, List<String> readers) {
            long activeSince = settings.now() - settings.fanout().activeWindow().toMillis();
            of.add(task);
            made.add(new Delivery(
                    posts.getOrDefault(task, List.of()).get(post),
                    readers,
                    task.steps().isPaced() ? activeSince : 0));
        }

        /** Makes the deliveries, and returns the posts that turned out to be deleted. */
        Set<Post> insert() {
            if (made.isEmpty()) {
                return Set.of();
            }
            Set<Post> deleted = inserts.deliver(made, this::delivered);
            calledInbox = true;
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
                        case UNREACHABLE ->
                            unreached
                                    .computeIfAbsent(of.get(i), task -> new HashSet<>())
                                    .add(reader);
                        case ADDED, PRESENT ->
                            holding.computeIfAbsent(of.get(i), task -> new ArrayList<>())
                                    .add(reader);
                        case BELOW_FLOOR, NOT_LIVE -> {}
                    }
                    if (outcomes.get(i).get(j) != Outcome.PRESENT) {
                        renewing.add(of.get(i));
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
