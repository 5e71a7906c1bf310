package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.internal.archive.EngineArchive;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.inbox.InboxBuilder;
import io.feedkit.internal.inbox.InboxReconciler;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Compares an engine's store with its source of truth, in stages. The register and the graph come before the inboxes,
 * because a repaired register or edge changes what an inbox should hold. Thread-safe.
 */
public final class Verification {

    /** Up to how many entries the whole register is read. Of a larger one, only authors with posts are compared. */
    private static final int WHOLE_REGISTER = 1_000_000;

    private final EngineSettings settings;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final SeenMarks seenMarks;
    private final Inbox inbox;
    private final FolloweeCache followeeCache;
    private final InboxCheck inboxCheck;
    private final Optional<ArchiveCheck> archiveCheck;
    private final GuardedListener listener;
    private final Runnable wake;

    /**
     * @param archive the archive of the outbox
     * @param wake wakes the workers
     */
    public Verification(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            Optional<EngineArchive> archive,
            FollowGraph graph,
            SeenMarks seenMarks,
            FolloweeCache followeeCache,
            InboxBuilder builder,
            InboxReconciler reconciler,
            Follows follows,
            GuardedListener listener,
            Runnable wake) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.graph = graph;
        this.seenMarks = seenMarks;
        this.followeeCache = followeeCache;
        this.archiveCheck = archive.map(each -> new ArchiveCheck(outbox, each.source(), each.archive()));
        this.inboxCheck = new InboxCheck(
                settings, inbox, outbox, archiveCheck, graph, followeeCache, builder, reconciler, follows);
        this.listener = listener;
        this.wake = wake;
    }

    /**
     * Compares all stages.
     *
     * @param isEngineClosed whether the run must end because the engine was closed
     */
    public VerifyReport run(VerifyRequest request, BooleanSupplier isEngineClosed) {
        VerifyRun run = new VerifyRun(request, isEngineClosed);
        stage(run, Stage.TASKS, () -> new TaskCheck(outbox, wake, run).compare());
        stage(run, Stage.REGISTER, () -> compareRegister(run));
        stage(run, Stage.GRAPH, () -> compareGraph(run));
        stage(run, Stage.INBOXES, () -> each(run, inboxCheck, inbox::forEachReader));
        archiveCheck.ifPresent(check -> stage(run, Stage.ARCHIVE, () -> compareArchive(run, check)));
        stage(run, Stage.SEEN_MARKS, () -> compareSeenMarks(run));
        VerifyReport report = run.report();
        listener.notify(each -> each.verified(report));
        return report;
    }

    private static void stage(VerifyRun run, Stage stage, Runnable comparison) {
        if (!run.begin(stage)) {
            return;
        }
        try {
            run.list(comparison);
        } catch (UnsupportedOperationException e) {
            run.cannotList();
        }
        run.end();
    }

    /** Compares each thing that a walk passes and that is in the sample. */
    private static void each(VerifyRun run, Check<String> check, Consumer<Predicate<List<String>>> walk) {
        Comparison<String> comparison = new Comparison<>(run, check);
        run.list(() -> walk.accept(ids -> compare(run, comparison, ids)));
        comparison.finish();
    }

    private static boolean compare(VerifyRun run, Comparison<String> comparison, Collection<String> ids) {
        return comparison.compareAll(ids.stream().filter(run::isSampled).toList());
    }

    /** Compares the registered authors, who may have no posts, and then the authors who are not registered. */
    private void compareRegister(VerifyRun run) {
        RegisterCheck check = new RegisterCheck(settings, outbox, inbox, graph, followeeCache);
        Comparison<String> comparison = new Comparison<>(run, check);
        run.list(() -> compareRegister(run, comparison));
        comparison.finish();
    }

    private void compareRegister(VerifyRun run, Comparison<String> comparison) {
        Update whole = outbox.pulled().update(Optional.empty(), List.of(), WHOLE_REGISTER);
        Set<String> registered = new HashSet<>();
        if (whole.scope() == Scope.WHOLE) {
            registered.addAll(whole.entries().keySet());
        }
        if (registered.stream().filter(run::isSampled).allMatch(comparison::compare)) {
            outbox.forEachAuthor(authors -> compare(
                    run,
                    comparison,
                    authors.stream()
                            .filter(author -> !registered.contains(author))
                            .toList()));
        }
    }

    private void compareGraph(VerifyRun run) {
        if (graph instanceof WritableFollowGraph writable) {
            each(run, new GraphCheck(writable, run), graph::forEachUser);
        } else {
            run.cannotList();
        }
    }

    /** Posts are read in batches. Only those that have a row in the outbox are looked at one by one. */
    private static void compareArchive(VerifyRun run, ArchiveCheck check) {
        Comparison<Post> comparison = new Comparison<>(run, check);
        ArchiveCheck.Walk walk = check.walk(run);
        if (!run.pause(EngineArchive.BOUNDARY_KNOWN_AFTER.toMillis())) {
            return;
        }
        run.list(() -> {
            for (List<Post> posts = walk.next(); !posts.isEmpty(); posts = walk.next()) {
                List<Post> doubtful = check.withRows(posts);
                run.checked(posts.size() - doubtful.size());
                if (!doubtful.stream().allMatch(comparison::compare)) {
                    break;
                }
            }
        });
        comparison.finish();
    }

    /** Marks are read in batches. Only those that lie ahead are looked at one by one. */
    private void compareSeenMarks(VerifyRun run) {
        SeenMarkCheck check = new SeenMarkCheck(settings, seenMarks);
        Comparison<String> comparison = new Comparison<>(run, check);
        run.list(() -> seenMarks.forEachReader(readers -> {
            List<String> sampled = readers.stream().filter(run::isSampled).toList();
            List<String> ahead = sampled.isEmpty() ? List.of() : check.ahead(sampled);
            run.checked(sampled.size() - ahead.size());
            return run.next() && ahead.stream().allMatch(comparison::compare);
        }));
        comparison.finish();
    }
}
