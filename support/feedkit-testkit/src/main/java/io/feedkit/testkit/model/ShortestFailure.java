package io.feedkit.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Shortens a failing run, by leaving out steps while the rest still fails. */
final class ShortestFailure {

    private static final int MOST_TRIES = 3000;

    private final Function<List<Step>, Optional<Throwable>> run;
    private int tries;

    /**
     * Prepares for shortening.
     *
     * @param run runs steps from the beginning, and returns how they failed
     */
    ShortestFailure(Function<List<Step>, Optional<Throwable>> run) {
        this.run = run;
    }

    List<Step> of(List<Step> failing) {
        List<Step> steps = failing;
        int size;
        do {
            size = weight(steps);
            steps = withoutParts(steps);
            steps = withSimplerParts(steps);
        } while (weight(steps) < size && tries < MOST_TRIES);
        return steps;
    }

    private List<Step> withoutParts(List<Step> failing) {
        List<Step> steps = failing;
        for (int part = Math.max(1, steps.size() / 2); part >= 1; part /= 2) {
            for (int start = 0; start < steps.size(); ) {
                List<Step> fewer = new ArrayList<>(steps);
                fewer.subList(start, Math.min(start + part, fewer.size())).clear();
                if (fails(fewer)) {
                    steps = fewer;
                } else {
                    start += part;
                }
            }
        }
        return steps;
    }

    /** Removes steps from interleavings and batches. */
    private List<Step> withSimplerParts(List<Step> failing) {
        List<Step> steps = failing;
        for (int i = 0; i < steps.size(); i++) {
            boolean simpler = true;
            while (simpler) {
                simpler = false;
                for (Step candidate : simpler(steps.get(i))) {
                    List<Step> replaced = new ArrayList<>(steps);
                    replaced.set(i, candidate);
                    if (fails(replaced)) {
                        steps = replaced;
                        simpler = true;
                        break;
                    }
                }
            }
        }
        return steps;
    }

    private static List<Step> simpler(Step step) {
        List<Step> candidates = new ArrayList<>();
        if (step instanceof Step.Interleave interleave) {
            candidates.add(interleave.outer());
            for (int i = 0; i < interleave.inner().size() && interleave.inner().size() > 1; i++) {
                List<Step> inner = new ArrayList<>(interleave.inner());
                inner.remove(i);
                candidates.add(new Step.Interleave(
                        interleave.engine(), interleave.outer(), interleave.call(), interleave.answered(), inner));
            }
        } else if (step instanceof Step.Publish publish) {
            for (int i = 0; i < publish.drafts().size() && publish.drafts().size() > 1; i++) {
                List<Step.Draft> drafts = new ArrayList<>(publish.drafts());
                drafts.remove(i);
                candidates.add(new Step.Publish(publish.engine(), drafts, publish.repeat()));
            }
        } else if (step instanceof Step.Import bulk && bulk.count() > 1) {
            candidates.add(new Step.Import(
                    bulk.engine(), bulk.author(), bulk.count() / 2, bulk.offset(), bulk.spacing(), bulk.repeat()));
        }
        return candidates;
    }

    private boolean fails(List<Step> steps) {
        return ++tries <= MOST_TRIES && run.apply(steps).isPresent();
    }

    private static int weight(List<Step> steps) {
        return steps.stream()
                .mapToInt(step -> step instanceof Step.Interleave interleave
                        ? 1 + interleave.inner().size()
                        : step instanceof Step.Publish publish
                                ? publish.drafts().size()
                                : 1)
                .sum();
    }
}
