package io.feedkit.internal.verify;

import io.feedkit.Post;
import io.feedkit.internal.archive.EngineArchive;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister.Scope;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.verify.VerifyProgress.Stage;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** One stage of a verification: compares all things of one kind. Thread-safe. */
public final class VerifyStage {

    /** Up to how many entries the whole register is read. Of a larger one, only authors with posts are compared. */
    private static final int WHOLE_REGISTER = 1_000_000;

    private final Stage stage;
    private final Consumer<VerifyRun> comparison;

    private VerifyStage(Stage stage, Consumer<VerifyRun> comparison) {
        this.stage = stage;
        this.comparison = comparison;
    }

    /**
     * Compares the tasks of the fan-out log.
     *
     * @param wake wakes the workers
     */
    public static VerifyStage tasks(Outbox outbox, Runnable wake) {
        return new VerifyStage(Stage.TASKS, run -> new TaskCheck(outbox, wake, run).compare());
    }

    /** Compares the pulled register with the inboxes of followers. */
    public static VerifyStage register(
            EngineSettings settings, Outbox outbox, Inbox inbox, FollowGraph graph, FolloweeCache followeeCache) {
        RegisterCheck check = new RegisterCheck(settings, outbox, inbox, graph, followeeCache);
        return new VerifyStage(Stage.REGISTER, run -> compareRegister(run, check, outbox));
    }

    /** Compares both sides of the follow graph, if it is writable. */
    public static VerifyStage graph(FollowGraph graph) {
        return new VerifyStage(Stage.GRAPH, run -> {
            if (graph instanceof WritableFollowGraph writable) {
                each(run, new GraphCheck(writable, run), graph::forEachUser);
            } else {
                run.cannotList();
            }
        });
    }

    public static VerifyStage inboxes(InboxCheck check, Inbox inbox) {
        return new VerifyStage(Stage.INBOXES, run -> each(run, check, inbox::forEachReader));
    }

    public static VerifyStage archive(ArchiveCheck check) {
        return new VerifyStage(Stage.ARCHIVE, run -> compareArchive(run, check));
    }

    public static VerifyStage seenMarks(EngineSettings settings, SeenMarks seenMarks) {
        SeenMarkCheck check = new SeenMarkCheck(settings, seenMarks);
        return new VerifyStage(Stage.SEEN_MARKS, run -> compareSeenMarks(run, check, seenMarks));
    }

    void compare(VerifyRun run) {
        if (!run.begin(stage)) {
            return;
        }
        try {
            run.list(() -> comparison.accept(run));
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
    private static void compareRegister(VerifyRun run, RegisterCheck check, Outbox outbox) {
        Comparison<String> comparison = new Comparison<>(run, check);
        run.list(() -> compareRegister(run, comparison, outbox));
        comparison.finish();
    }

    private static void compareRegister(VerifyRun run, Comparison<String> comparison, Outbox outbox) {
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
    private static void compareSeenMarks(VerifyRun run, SeenMarkCheck check, SeenMarks seenMarks) {
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
