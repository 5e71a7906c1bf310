package io.feedkit.testkit.model;

import io.feedkit.testkit.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates steps. They depend on random numbers alone, never on the answers of a run. */
final class StepGenerator {

    private static final List<String> FRAGILE = List.of(
            "inbox.deliver",
            "inbox.retract",
            "inbox.merge",
            "outbox.existing",
            "graph.followers",
            "pulled.put",
            "fanout.finish",
            "fanout.checkpoint",
            "fanout.release",
            "pulled.update");

    /** Clock offsets less than half a lease apart: an engine's clock may jump back that far. */
    private static final List<Long> CLOCKS = List.of(-2400L, -1000L, -1L, 0L, 0L, 1L, 700L, 2400L);

    private final Choices choices;
    private final Interleavings interleavings;

    StepGenerator(Random random) {
        this.choices = new Choices(random);
        this.interleavings = new Interleavings(choices);
    }

    List<Step> steps(int count) {
        List<Step> steps = new ArrayList<>();
        while (steps.size() < count) {
            add(steps);
        }
        return steps;
    }

    private void add(List<Step> steps) {
        if (choices.oneIn(12)) {
            choices.changePair();
        }
        int engine = choices.engine();
        int kind = choices.below(100);
        if (kind < 19) {
            steps.add(choices.publish(engine));
        } else if (kind < 28) {
            steps.add(follows(engine));
        } else if (kind < 44) {
            steps.add(choices.read(engine));
        } else if (kind < 53) {
            steps.add(choices.drain(engine));
        } else if (kind < 58) {
            steps.add(choices.delete(engine));
        } else if (kind < 77) {
            steps.add(interleavings.any(engine));
        } else if (kind < 81) {
            steps.add(new Step.FailAt(engine, 1 + choices.below(8), choices.pick(List.of(Fault.values()))));
        } else if (kind < 83) {
            steps.add(new Step.FailNext(engine, choices.pick(FRAGILE), 1 + choices.below(6), Fault.FAIL_AFTER));
        } else if (kind < 87) {
            steps.add(new Step.Pass(choices.pick(List.of(1L, 1L, 999L, 1000L, 5000L, 11_000L, 61_000L))));
        } else if (kind < 89) {
            String reader = choices.reader();
            String author = choices.author();
            steps.add(new Step.Unfollow(engine, reader, author));
            steps.add(new Step.Follow(choices.engine(), reader, author, true));
        } else if (kind < 91) {
            steps.addAll(interleavings.contest(engine));
        } else if (kind < 93) {
            steps.addAll(interleavings.resurrection(engine));
        } else if (kind < 94) {
            steps.addAll(interleavings.unregistered(engine));
        } else {
            steps.add(rare(engine));
        }
    }

    private Step follows(int engine) {
        return switch (choices.below(16)) {
            case 0, 1, 2 -> new Step.Unfollow(engine, choices.reader(), choices.author());
            case 3, 4, 5, 6 -> new Step.Untold(choices.reader(), choices.author(), choices.oneIn(2));
            case 7 -> new Step.CutSides(engine, choices.pick(List.of(Fault.FAIL_AFTER, Fault.CRASH_AFTER)));
            default -> new Step.Follow(engine, choices.reader(), choices.author(), choices.oneIn(2));
        };
    }

    private Step rare(int engine) {
        return switch (choices.below(17)) {
            case 0, 1 -> new Step.UsePolicy(engine, choices.pick(List.of(Policies.values())));
            case 2 -> new Step.Refresh(engine, choices.reader());
            case 3 -> new Step.Rebuild(engine, choices.reader());
            case 4 -> new Step.Forget(engine, choices.reader());
            case 5, 6 -> new Step.Evict(choices.reader());
            case 7 -> new Step.LoseEntry(choices.reader(), choices.below(4));
            case 8 -> new Step.ToggleMute(choices.reader(), choices.author());
            case 9 -> toggleContent();
            case 10 -> new Step.ReplayDead(engine);
            case 11 -> new Step.ReplayFinished(engine);
            case 12 -> new Step.Restart(engine);
            case 13 -> new Step.Settle();
            case 14 -> new Step.SetClock(engine, choices.pick(CLOCKS));
            case 15 -> new Step.Pause(engine, choices.oneIn(2));
            default -> bulk(engine);
        };
    }

    private Step toggleContent() {
        Step.Draft earlier = choices.earlier();
        return new Step.ToggleContent(earlier.author(), earlier.id());
    }

    private Step bulk(int engine) {
        return new Step.Import(
                engine,
                choices.author(),
                choices.pick(List.of(3, 15, 60, 60, 250)),
                -choices.below(5000),
                choices.pick(List.of(0L, 1L, 1000L)),
                true);
    }
}
