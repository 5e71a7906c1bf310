package io.feedkit.survival.chaos;

import io.feedkit.survival.chaos.Answer.Outcome;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Prints the first violations of each rule, and counts calls, pages and violations. Thread-safe. */
final class Report {

    private static final long SECOND = 1000;
    private static final long LIMIT_MILLIS = 20_000;

    private final long seed;
    private final long origin;
    private final int printed;
    private final Supplier<String> faults;
    private final Map<Rule, Integer> violations = new EnumMap<>(Rule.class);
    private final Map<Outcome, Integer> calls = new EnumMap<>(Outcome.class);
    private int pages;
    private long longestCall;

    /**
     * @param origin when the run began
     * @param printed how many violations of each rule are printed
     * @param faults describes the present faults
     */
    Report(long seed, long origin, int printed, Supplier<String> faults) {
        this.seed = seed;
        this.origin = origin;
        this.printed = printed;
        this.faults = faults;
    }

    void add(List<Violation> found) {
        found.forEach(this::add);
    }

    synchronized void add(Violation violation) {
        if (violations.merge(violation.rule(), 1, Integer::sum) <= printed) {
            System.out.printf(
                    "VIOLATION of %s, seed %d, at %d ms%n  %s%n  faults: %s%n",
                    violation.rule(), seed, System.currentTimeMillis() - origin, violation.evidence(), faults.get());
        }
    }

    /** Counts a call, and checks how it ended. */
    synchronized void count(String request, Answer answer) {
        calls.merge(answer.outcome(), 1, Integer::sum);
        long took = answer.end() - answer.start();
        longestCall = Math.max(longestCall, took);
        String what = answer.engine() + ", asked to " + request + ", ";
        if (answer.outcome() == Outcome.FAILED) {
            add(new Violation(Rule.TYPED_FAILURE, what + "threw " + answer.text()));
        }
        if (took > LIMIT_MILLIS) {
            add(new Violation(Rule.BOUNDED_TIME, what + "took " + took + " ms"));
        }
    }

    synchronized void page() {
        pages++;
    }

    synchronized int violations() {
        return violations.values().stream().mapToInt(count -> count).sum();
    }

    synchronized String summary(FeedModel model) {
        return "seed %d: %d s, %d posts, %d pages, %d checks; calls %s, the longest %d ms; violations %s%s"
                .formatted(
                        seed,
                        (System.currentTimeMillis() - origin) / SECOND,
                        model.posts(),
                        pages,
                        model.checks(),
                        calls,
                        longestCall,
                        violations.isEmpty() ? "none" : violations,
                        model.longestGone() == 0
                                ? ""
                                : "; a post that vanished came back after at most " + model.longestGone() + " ms");
    }
}
