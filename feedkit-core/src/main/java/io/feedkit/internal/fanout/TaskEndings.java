package io.feedkit.internal.fanout;

import static java.util.stream.Collectors.toSet;

import io.feedkit.event.TaskFinished;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.cache.Registered;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.fanout.batch.ClaimedTask;
import io.feedkit.internal.fanout.batch.TaskSteps;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.PulledRegister.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps after the last batch of a task. Thread-safe. */
public final class TaskEndings {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private final EngineSettings settings;
    private final RegisterCache registerCache;
    private final FanoutLog fanoutLog;
    private final GuardedListener listener;

    public TaskEndings(
            EngineSettings settings, RegisterCache registerCache, FanoutLog fanoutLog, GuardedListener listener) {
        this.settings = settings;
        this.registerCache = registerCache;
        this.fanoutLog = fanoutLog;
        this.listener = listener;
    }

    /** Finishes tasks; returns how many. Tasks that failed or continue as new tasks do not count. */
    int finish(List<ClaimedTask> done, BiConsumer<ClaimedTask, Throwable> failed) {
        List<ClaimedTask> finished = conclude(done, failed);
        if (!finished.isEmpty()) {
            fanoutLog.finish(
                    finished.stream().map(ClaimedTask::claim).toList(),
                    settings.fanout().tasks().replayHorizon().toMillis());
        }
        reportFinished(finished);
        return finished.size();
    }

    /**
     * Takes the steps before tasks are finished. Returns the tasks that can be finished now; tasks that failed or
     * continue as new tasks are left out.
     */
    private List<ClaimedTask> conclude(List<ClaimedTask> done, BiConsumer<ClaimedTask, Throwable> failed) {
        boolean unregistered = unregisterPosts(
                done.stream().filter(task -> task.steps().unregistersPost()).toList());
        List<ClaimedTask> concluded = new ArrayList<>();
        for (ClaimedTask task : done) {
            try {
                if (conclude(task, unregistered)) {
                    concluded.add(task);
                }
            } catch (Throwable e) {
                failed.accept(task, e);
            }
        }
        try {
            beginCatchUps(concluded.stream()
                    .filter(task -> task.steps().beginsCatchUp())
                    .toList());
        } catch (Throwable e) {
            GuardedCallbacks.throwIfFatal(e);
            log.debug(
                    "{}: cannot begin catch-ups; authors stay in the pulled register until their next push",
                    settings.name(),
                    FailureReasons.printable(e));
        }
        return concluded;
    }

    /** Takes posts whose retraction has finished out of the register; returns false if that fails. */
    private boolean unregisterPosts(List<ClaimedTask> tasks) {
        try {
            if (!tasks.isEmpty()) {
                registerCache.retracted(
                        tasks.stream().map(task -> task.task().key()).toList());
            }
            return true;
        } catch (Throwable e) {
            GuardedCallbacks.throwIfFatal(e);
            log.debug(
                    "{}: cannot take {} retracted posts out of the register in one call; taking out each on its own",
                    settings.name(),
                    tasks.size(),
                    FailureReasons.printable(e));
            return false;
        }
    }

    /** Takes the last steps of one task; returns false if it continues as a new task. */
    private boolean conclude(ClaimedTask task, boolean unregistered) {
        if (task.steps().unregistersAuthor()) {
            registerCache.remove(task.task().author(), task.task().version());
        } else if (task.steps().unregistersPost() && !unregistered) {
            registerCache.retracted(List.of(task.task().key()));
        } else if (task.steps().retractsLater()) {
            fanoutLog.retractLater(
                    task.claim(), settings.fanout().tasks().lease().toMillis());
            return false;
        }
        return true;
    }

    /**
     * Begins catch-ups for authors whose newest registered post, or a newer one, was pushed. A catch-up takes its
     * author off the pulled register.
     */
    private void beginCatchUps(List<ClaimedTask> pushed) {
        if (pushed.isEmpty()) {
            return;
        }
        RegisterView known = registerCache.current(authors(pushed));
        List<ClaimedTask> pushedAgain = pushed.stream()
                .filter(task -> known.isPulled(task.task().author()))
                .toList();
        if (pushedAgain.isEmpty()) {
            return;
        }
        Map<String, Registered> latest =
                registerCache.latest(authors(pushedAgain)).registered();
        for (ClaimedTask task : pushedAgain) {
            Registered registered = latest.get(task.task().author());
            Entry entry = registered == null ? null : registered.entry();
            if (entry != null && entry.newest().compareTo(task.task().newest()) <= 0) {
                fanoutLog.catchUp(task.task().author(), entry);
            }
        }
    }

    private static Set<String> authors(List<ClaimedTask> tasks) {
        return tasks.stream().map(task -> task.task().author()).collect(toSet());
    }

    private void reportFinished(List<ClaimedTask> finished) {
        for (ClaimedTask task : finished) {
            Duration age =
                    Duration.ofMillis(Math.max(0, settings.now() - task.task().created()));
            listener.notify(listener -> {
                TaskFinished.Builder event = TaskFinished.builder(
                                task.steps().publicKind(), task.task().author())
                        .age(age);
                TaskSteps.postOf(task.task()).ifPresent(event::post);
                listener.taskFinished(event.build());
            });
        }
    }
}
