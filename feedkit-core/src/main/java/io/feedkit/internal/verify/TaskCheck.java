package io.feedkit.internal.verify;

import static java.util.function.Predicate.not;

import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares the tasks of the fan-out log with the posts and the settled mark. No task can be read by its id, so a second
 * walk through all tasks confirms what the first has found. For use by one thread.
 */
final class TaskCheck {

    private static final Set<Kind> OF_A_POST = EnumSet.of(Kind.PUSH, Kind.PULL, Kind.PUSH_ACTIVE);

    /** Retractions and active pushes do not hold the settled mark back. */
    private static final Set<Kind> HOLD_THE_MARK = EnumSet.of(Kind.PUSH, Kind.PULL, Kind.CATCH_UP, Kind.IMPORT);

    private static final int PAGE = 1000;
    private static final int MOST_FINDINGS = 10_000;
    private static final long PAUSE_MILLIS = 20;

    private final Outbox outbox;
    private final Runnable wake;
    private final VerifyRun run;
    private final Set<String> dead = new HashSet<>();

    /** @param wake wakes the workers */
    TaskCheck(Outbox outbox, Runnable wake, VerifyRun run) {
        this.outbox = outbox;
        this.wake = wake;
        this.run = run;
    }

    /** Compares all tasks. */
    void compare() {
        List<Finding> findings = look(true);
        boolean goesOn = !findings.isEmpty()
                && run.pauseUntil(
                        System.nanoTime() + run.request().recheckAfter().toNanos());
        for (int looks = 0; looks < Comparison.CONFIRMATIONS && goesOn && !findings.isEmpty(); looks++) {
            goesOn = run.pause(looks * PAUSE_MILLIS);
            Look again = Look.of(look(false));
            findings = findings.stream().filter(again::has).toList();
        }
        if (goesOn && !findings.isEmpty()) {
            run.confirmed(run.request().repairs() ? repaired(findings) : findings);
        }
    }

    /** Walks through all tasks. The settled mark is read before, so no task that is unfinished now may lie below it. */
    private List<Finding> look(boolean isFirst) {
        List<Finding> findings = new ArrayList<>();
        long mark = outbox.settledMark();
        outbox.fanout().forEachUnfinished(tasks -> {
            tasks.forEach(task -> addUnsettled(task, mark, findings));
            return add(tasks, isFirst, findings);
        });
        dead.clear();
        boolean goesOn = !run.isStopped();
        String after = "";
        while (goesOn) {
            List<Task> tasks =
                    outbox.fanout().dead(after, PAGE).stream().map(Dead::task).toList();
            tasks.forEach(task -> dead.add(task.id()));
            goesOn = add(tasks, isFirst, findings) && tasks.size() == PAGE;
            after = tasks.isEmpty() ? after : tasks.get(tasks.size() - 1).id();
        }
        return findings;
    }

    private boolean add(List<Task> tasks, boolean isFirst, List<Finding> findings) {
        addWithoutPost(tasks, findings);
        if (isFirst) {
            run.checked(tasks.size());
        }
        return run.next() && findings.size() < MOST_FINDINGS;
    }

    /** A task that the outbox holds back counts from the time of its post on. */
    private void addUnsettled(Task task, long mark, List<Finding> findings) {
        long since = outbox.holdsBack() ? Math.max(task.created(), task.newest().millis()) : task.created();
        if (HOLD_THE_MARK.contains(task.kind()) && since < mark) {
            findings.add(Finding.builder(FindingKind.SETTLED_MARK_TOO_HIGH)
                    .author(task.author())
                    .task(task.id())
                    .sentence("Task " + task.id() + " was recorded at " + Instant.ofEpochMilli(task.created())
                            + " and is not finished, but the settled mark is " + Instant.ofEpochMilli(mark) + ".")
                    .build());
        }
    }

    private void addWithoutPost(List<Task> tasks, List<Finding> findings) {
        List<Task> ofPosts = tasks.stream()
                .filter(task -> OF_A_POST.contains(task.kind()) && task.oldest().equals(task.newest()))
                .toList();
        List<Task> lost = withoutPosts(ofPosts);
        if (lost.isEmpty()) {
            return;
        }
        RegisterState register = RegisterState.of(
                outbox.pulled(), lost.stream().map(Task::author).collect(Collectors.toSet()));
        lost.stream()
                .filter(task -> !register.retracting().contains(task.key()))
                .forEach(task -> findings.add(Finding.builder(FindingKind.TASK_WITHOUT_POST)
                        .author(task.author())
                        .post(task.key().id())
                        .task(task.id())
                        .sentence("Task " + task.id() + " (" + task.kind() + ") is about post "
                                + task.key().id() + " of " + task.author() + ", which does not exist.")
                        .build()));
    }

    private List<Task> withoutPosts(List<Task> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        Map<PostKey, ?> existing = outbox.existing(tasks.stream().map(Task::key).collect(Collectors.toSet()));
        return tasks.stream().filter(task -> !existing.containsKey(task.key())).toList();
    }

    /** Dead letters are discarded. Other tasks are made due, so that the workers finish them. */
    private List<Finding> repaired(List<Finding> findings) {
        FanoutLog log = outbox.fanout();
        Set<String> discarded = findings.stream()
                .flatMap(finding -> finding.task().stream())
                .filter(dead::contains)
                .collect(Collectors.toSet());
        if (!discarded.isEmpty()) {
            log.discard(discarded);
        }
        if (findings.stream().anyMatch(not(finding -> isOf(finding, discarded)))) {
            log.hasten(MOST_FINDINGS);
            wake.run();
        }
        return findings.stream()
                .map(finding -> finding.with(isOf(finding, discarded) ? Repair.DONE : Repair.LEFT_TO_WORKERS))
                .toList();
    }

    private static boolean isOf(Finding finding, Set<String> tasks) {
        return finding.task().filter(tasks::contains).isPresent();
    }
}
