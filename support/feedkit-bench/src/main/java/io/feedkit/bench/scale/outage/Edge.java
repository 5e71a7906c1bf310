package io.feedkit.bench.scale.outage;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Whether a reader follows an author, over all follows and unfollows. Changed by one thread, read by any. */
final class Edge {

    private record Step(boolean follows, Transition transition) {}

    private final List<Step> steps = new CopyOnWriteArrayList<>();

    Edge(boolean follows) {
        steps.add(new Step(follows, Transition.longAgo()));
    }

    /** Whether the reader follows the author after the last step. */
    boolean follows() {
        return steps.get(steps.size() - 1).follows();
    }

    /** Begins the opposite step: a follow after an unfollow, and vice versa. */
    Transition turn() {
        Step step = new Step(!follows(), new Transition());
        step.transition().ask();
        steps.add(step);
        return step.transition();
    }

    /** Whether the reader certainly followed the author all the time. */
    boolean mustShow(long from, long to) {
        return during(from, to).stream().allMatch(Step::follows);
    }

    /** Whether the reader may have followed the author at some time. */
    boolean mayShow(long from, long to) {
        return during(from, to).stream().anyMatch(Step::follows);
    }

    private List<Step> during(long from, long to) {
        int first = 0;
        int end = 0;
        for (int i = 0; i < steps.size(); i++) {
            Transition transition = steps.get(i).transition();
            first = transition.isOver(from) ? i : first;
            end = transition.mayHaveBegun(to) ? i + 1 : end;
        }
        return steps.subList(first, Math.max(first + 1, end));
    }
}
