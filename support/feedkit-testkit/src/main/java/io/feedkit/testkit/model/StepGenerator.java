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

    /** Offsets of a wrong clock. */
    private static final List<Long> FAR = List.of(-120_000L, -60_000L, 30_000L, 120_000L);

    private final Choices choices;
    private final Interleavings interleavings;

    StepGenerator(Random random) {
        this.choices = new Choices(random);
        this.interleavings = new Interleavings(choices);
    }

    List<Step> steps(int count) {
        List<Step> steps = new ArrayList<>();
        if (choices.oneIn(4)) {
            steps.add(new Step.SetClock(choices.engine(), choices.pick(FAR)));
        }
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
        } else if (kind < 95) {
            steps.addAll(troubles(engine));
        } else {
            steps.add(rare(engine));
        }
    }

    private Step follows(int engine) {
        return switch (choices.below(16)) {
            case 0, 1, 2 -> new Step.Unfollow(engine, choices.reader(), choices.author());
            case 3, 4, 5, 6 -> new Step.Unreported(choices.reader(), choices.author(), choices.oneIn(2));
            case 8 -> new Step.MoveFollowers(engine, choices.author(), choices.author(), choices.oneIn(2));
            case 7 -> new Step.CutSides(engine, choices.pick(List.of(Fault.FAIL_AFTER, Fault.CRASH_AFTER)));
            default -> new Step.Follow(engine, choices.reader(), choices.author(), choices.oneIn(2));
        };
    }

    private Step rare(int engine) {
        return switch (choices.below(18)) {
            case 0, 1 -> new Step.UsePolicy(engine, choices.pick(List.of(Policies.values())));
            case 2 -> new Step.Refresh(engine, choices.reader());
            case 3 -> new Step.Rebuild(engine, choices.reader());
            case 4 -> new Step.Forget(engine, choices.reader());
            case 5, 6 -> new Step.Evict(choices.reader());
            case 7 -> new Step.LoseEntry(choices.reader(), choices.below(4));
            case 17 -> new Step.Delete(engine, choices.author(), Step.LOST + choices.below(4), choices.oneIn(2));
            case 8 -> new Step.ToggleMute(choices.reader(), choices.author());
            case 9 -> toggleContent();
            case 10 -> new Step.ReplayDead(engine);
            case 11 -> new Step.ReplayFinished(engine);
            case 12 -> new Step.Restart(engine);
            case 13 -> new Step.Settle();
            case 14 -> new Step.SetClock(engine, choices.pick(choices.oneIn(3) ? FAR : CLOCKS));
            case 15 -> new Step.Pause(engine, choices.oneIn(2));
            default -> bulk(engine);
        };
    }

    /** Damages an inbox some time after all posts were delivered to it, and it was reconciled. */
    private List<Step> damage(int engine) {
        String reader = choices.reader();
        return List.of(
                new Step.Drain(engine, 0),
                new Step.Pass(61_000),
                new Step.Read(engine, reader, 0, Step.Page.FIRST, 1, false),
                choices.oneIn(3)
                        ? new Step.LoseEntry(reader, choices.below(4))
                        : new Step.WrongEntry(reader, choices.below(4), choices.pick(List.of(Step.Damage.values()))));
    }

    private List<Step> troubles(int engine) {
        return switch (choices.below(8)) {
            case 0, 1 -> restoration(engine);
            case 2 -> aheadOfPolls(engine);
            case 3, 4 -> List.of(edit());
            default -> damage(engine);
        };
    }

    private Step edit() {
        Step.Draft earlier = choices.earlier();
        return new Step.Edit(earlier.author(), earlier.id(), -choices.pick(List.of(0L, 1L, 1500L, 60_000L, 900_000L)));
    }

    /** A reader polls while one engine's clock is minutes ahead and the other engine publishes. */
    private List<Step> aheadOfPolls(int engine) {
        String reader = choices.reader();
        String author = choices.author();
        int ahead = 1 - engine;
        List<Step> steps = new ArrayList<>(List.of(
                new Step.SetClock(engine, 0),
                new Step.SetClock(ahead, 290_000),
                new Step.Follow(engine, reader, author, true),
                choices.publishBy(author, ahead),
                new Step.Drain(engine, 0),
                new Step.Read(engine, reader, 0, Step.Page.FIRST, 20, false)));
        for (int polls = 1 + choices.below(3); polls > 0; polls--) {
            steps.add(choices.publishBy(author, choices.oneIn(3) ? ahead : engine));
            steps.add(new Step.Drain(engine, 0));
            if (choices.oneIn(2)) {
                steps.add(new Step.MarkSeen(engine, reader, 0));
            }
            steps.add(new Step.Read(engine, reader, 0, Step.Page.NEWER, 20, choices.oneIn(2)));
        }
        steps.add(new Step.SetClock(ahead, choices.pick(FAR)));
        return steps;
    }

    /** The source of truth loses its latest changes, among them the publish of a post and the delete of another. */
    private List<Step> restoration(int engine) {
        Step.Publish kept = choices.publishBy(choices.author(), engine);
        Step.Draft deleted = kept.drafts().get(0);
        List<Step> steps = new ArrayList<>(List.of(kept, new Step.Drain(engine, 0), new Step.BackUp()));
        steps.add(choices.publish(engine));
        if (choices.oneIn(2)) {
            steps.add(new Step.Delete(engine, deleted.author(), deleted.id(), true));
        }
        for (int more = choices.below(6); more > 0; more--) {
            add(steps);
        }
        steps.add(new Step.Drain(engine, 0));
        steps.add(new Step.Restore(engine));
        return steps;
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
