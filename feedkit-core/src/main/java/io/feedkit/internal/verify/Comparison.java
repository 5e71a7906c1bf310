package io.feedkit.internal.verify;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.FeedKitException;
import io.feedkit.internal.verify.Look.Status;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Looks at things one after the other, and decides which differences are findings. Writers may work meanwhile. So a
 * difference is a finding only if every one of several further looks sees it. The first of these looks comes after a
 * time in which all calls that were under way have ended; other things are looked at meanwhile. For use by one thread.
 */
final class Comparison<S> {

    /** How many further looks must see a difference. */
    static final int CONFIRMATIONS = 3;

    /** How often a thing is looked at that changes during the looks. */
    private static final int MOST_LOOKS = 5;

    /** How often a thing is put back whose posts are under way. */
    private static final int MOST_RETURNS = 3;

    /** How many things are looked at together: at most that many, and no more than take this part of a second. */
    private static final int MOST_TOGETHER = 100;

    private static final int PARTS_OF_SECOND = 5;

    /** How many steps do without a look at many things, after one that found less than half of them sound. */
    private static final int STEPS_ONE_BY_ONE = 8;

    private static final long SHORTEST_RETURN_NANOS = MILLISECONDS.toNanos(400);
    private static final long PAUSE_MILLIS = 20;

    /** How many differences wait for their next look. If there are more, the first is waited for. */
    private static final int MOST_WAITING = 100_000;

    private record Suspect<S>(S subject, Look first, int returns, long dueNanos) {}

    private final VerifyRun run;
    private final Check<S> check;
    private final long recheckNanos;
    private final int together;
    private final Deque<Suspect<S>> suspects = new ArrayDeque<>();
    private final List<S> gathered = new ArrayList<>();
    private int waiting;
    private int oneByOne;

    Comparison(VerifyRun run, Check<S> check) {
        this.run = run;
        this.check = check;
        this.recheckNanos = run.request().recheckAfter().toNanos();
        this.together = Math.max(1, Math.min(MOST_TOGETHER, run.request().perSecond() / PARTS_OF_SECOND));
    }

    /**
     * Gathers things, because a sample has few of each listing, and looks at them when there are enough and their turns
     * come. Returns false if the run was stopped.
     */
    boolean compareAll(List<S> subjects) {
        gathered.addAll(subjects);
        while (gathered.size() >= together) {
            if (!compareGathered(together)) {
                return false;
            }
        }
        return run.pause(0);
    }

    private boolean compareGathered(int most) {
        List<S> next = gathered.subList(0, Math.min(gathered.size(), most));
        List<S> subjects = List.copyOf(next);
        next.clear();
        return compareTogether(subjects);
    }

    /** Looks at things together, and then one by one at those that may have differences. */
    private boolean compareTogether(List<S> subjects) {
        if (!run.pause(0)) {
            return false;
        }
        Set<S> sound = oneByOne > 0 ? Set.of() : sound(subjects);
        oneByOne = oneByOne > 0 ? oneByOne - 1 : sound.size() * 2 < subjects.size() ? STEPS_ONE_BY_ONE : 0;
        for (S subject : subjects) {
            if (!(sound.contains(subject) ? count() : compare(subject))) {
                return false;
            }
        }
        return true;
    }

    /** If the store fails, things are looked at one by one, and those that fail again are counted. */
    private Set<S> sound(List<S> subjects) {
        try {
            return check.sound(subjects);
        } catch (FeedKitException e) {
            return Set.of();
        }
    }

    private boolean count() {
        if (!run.next()) {
            return false;
        }
        run.checked(1);
        return confirmDue();
    }

    /** Looks at a thing when its turn comes, and again at earlier ones. Returns false if the run was stopped. */
    boolean compare(S subject) {
        if (!run.next()) {
            return false;
        }
        Look first = look(subject, Look.NONE);
        run.checked(1);
        if (first.status() != Status.DECIDED) {
            run.undecided();
        } else if (!first.findings().isEmpty()) {
            add(new Suspect<>(subject, first, 0, System.nanoTime() + recheckNanos));
        }
        return confirmDue();
    }

    private boolean confirmDue() {
        while (!suspects.isEmpty()
                && (waiting > MOST_WAITING || suspects.element().dueNanos() - System.nanoTime() <= 0)) {
            confirmNext();
        }
        return !run.isStopped();
    }

    /** Looks at the things that are left, and waits for the further looks at all things with differences. */
    void finish() {
        if (!gathered.isEmpty() && !run.isStopped()) {
            boolean unused = compareGathered(together);
        }
        while (!suspects.isEmpty() && !run.isStopped()) {
            confirmNext();
        }
    }

    private void confirmNext() {
        Suspect<S> suspect = suspects.remove();
        waiting -= suspect.first().findings().size();
        if (run.pauseUntil(suspect.dueNanos())) {
            confirm(suspect);
        }
    }

    private void confirm(Suspect<S> suspect) {
        List<Finding> left = suspect.first().findings();
        for (int looks = 0; looks < CONFIRMATIONS && !left.isEmpty() && run.pause(looks * PAUSE_MILLIS); looks++) {
            Look again = look(suspect.subject(), suspect.first());
            if (again.status() != Status.DECIDED) {
                putBack(suspect, again.status());
                return;
            }
            left = stillThere(left, again);
        }
        if (!left.isEmpty() && !run.isStopped()) {
            run.confirmed(run.request().repairs() ? repaired(suspect, left) : left);
        }
    }

    /** Lets a thing wait whose posts are under way. Gives up after some time. */
    private void putBack(Suspect<S> suspect, Status status) {
        if (status == Status.CHANGED || suspect.returns() == MOST_RETURNS) {
            run.undecided();
        } else {
            long due = System.nanoTime() + Math.max(recheckNanos, SHORTEST_RETURN_NANOS);
            add(new Suspect<>(suspect.subject(), suspect.first(), suspect.returns() + 1, due));
        }
    }

    private void add(Suspect<S> suspect) {
        suspects.add(suspect);
        waiting += suspect.first().findings().size();
    }

    /** The findings of a further look that an earlier look has seen, too. */
    private static List<Finding> stillThere(List<Finding> earlier, Look again) {
        Look before = Look.of(earlier);
        return again.findings().stream().filter(before::has).toList();
    }

    /** Looks until the thing does not change during the look, but only some times. */
    private Look look(S subject, Look first) {
        Look look = run.attempt(() -> check.look(subject, first));
        for (int looks = 1; look.status() == Status.CHANGED && looks < MOST_LOOKS; looks++) {
            if (!run.pause(PAUSE_MILLIS * looks)) {
                return look;
            }
            look = run.attempt(() -> check.look(subject, first));
        }
        return look;
    }

    private List<Finding> repaired(Suspect<S> suspect, List<Finding> findings) {
        Look unused = run.attempt(() -> {
            check.repair(suspect.subject(), findings);
            return Look.NONE;
        });
        Look after = look(suspect.subject(), suspect.first());
        List<Finding> outcomes = new ArrayList<>();
        for (Finding finding : findings) {
            boolean gone = after.status() == Status.DECIDED && !after.has(finding);
            outcomes.add(finding.with(gone ? Repair.DONE : Repair.FAILED));
        }
        return outcomes;
    }
}
