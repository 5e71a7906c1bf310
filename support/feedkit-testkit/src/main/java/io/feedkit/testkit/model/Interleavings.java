package io.feedkit.testkit.model;

import io.feedkit.testkit.fault.Fault;
import java.util.ArrayList;
import java.util.List;

/** Creates operations that are interrupted by other operations, at a call that the outer one probably makes. */
final class Interleavings {

    private final Choices choices;

    Interleavings(Choices choices) {
        this.choices = choices;
    }

    /** Any operation, interrupted by any other. */
    Step any(int engine) {
        return switch (choices.below(10)) {
            case 0 -> during(engine, choices.publish(engine), 7);
            case 1 -> during(engine, choices.delete(engine), 3);
            case 2, 3 -> during(engine, new Step.Follow(engine, choices.reader(), choices.author(), true), 10);
            case 4 -> during(engine, new Step.Unfollow(engine, choices.reader(), choices.author()), 6);
            case 5 -> during(engine, new Step.Refresh(engine, choices.reader()), 14);
            case 6 -> during(engine, new Step.Rebuild(engine, choices.reader()), 10);
            case 7 -> during(engine, choices.read(engine), 12);
            default -> during(engine, choices.drain(engine), 14);
        };
    }

    /**
     * A reader with an author's posts in the inbox unfollows or follows the author, while another engine does the same.
     */
    List<Step> contest(int engine) {
        String reader = choices.reader();
        String author = choices.author();
        int other = 1 - engine;
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.Follow(engine, reader, author, true));
        steps.add(choices.publishBy(author, engine));
        steps.add(new Step.Drain(other, 0));
        steps.add(new Step.Read(other, reader, 0, Step.Page.FIRST, 5, false));
        Step follow = new Step.Follow(other, reader, author, true);
        Step unfollow = new Step.Unfollow(other, reader, author);
        steps.add(
                switch (choices.below(4)) {
                    case 0 -> broken(engine, new Step.Follow(engine, reader, author, true), 8, List.of(unfollow));
                    case 1 -> broken(engine, new Step.Refresh(engine, reader), 9, List.of(unfollow, follow));
                    default -> broken(engine, new Step.Unfollow(engine, reader, author), 5, List.of(follow));
                });
        return steps;
    }

    /**
     * A post is deleted, and its retraction ends, while an operation is about to insert the post, or before its fan-out
     * is repeated.
     */
    List<Step> resurrection(int engine) {
        String reader = choices.reader();
        String author = choices.author();
        int other = 1 - engine;
        Step.Publish publish = choices.publishBy(author, engine);
        List<Step> deletion = deletion(
                engine, new Step.Delete(other, author, publish.drafts().get(0).id(), true));
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.Follow(engine, reader, author, true));
        steps.add(new Step.Read(other, reader, 0, Step.Page.FIRST, 5, false));
        steps.add(publish);
        switch (choices.below(6)) {
            case 0 -> steps.add(broken(engine, new Step.Follow(engine, reader, author, true), 8, deletion));
            case 1 -> steps.add(broken(engine, new Step.Refresh(engine, reader), 9, deletion));
            case 2 -> steps.add(broken(engine, new Step.Rebuild(engine, reader), 9, deletion));
            case 3 -> steps.add(broken(engine, new Step.Drain(engine, 0), 6, deletion));
            case 4 -> {
                steps.add(new Step.FailNext(engine, "inbox.deliver", 1, Fault.CRASH_AFTER));
                steps.add(broken(engine, new Step.Drain(engine, 0), 3, deletion.subList(1, 3)));
                steps.add(new Step.Read(other, reader, 0, Step.Page.FIRST, 20, true));
            }
            default -> {
                steps.add(new Step.Drain(engine, 0));
                steps.addAll(deletion);
                steps.add(new Step.ReplayFinished(engine));
                steps.add(new Step.FailNext(engine, "inbox.deliver", 1, Fault.CRASH_AFTER));
                steps.add(new Step.Drain(engine, 0));
                steps.add(new Step.Read(other, reader, 0, Step.Page.FIRST, 20, true));
            }
        }
        return steps;
    }

    /**
     * Posts that are not pushed, or only to few readers. Their publisher fails to enter them in the register, so a
     * worker must enter them.
     */
    List<Step> unregistered(int engine) {
        String reader = choices.reader();
        String author = choices.author();
        return List.of(
                new Step.Follow(engine, reader, author, true),
                new Step.Read(engine, reader, 0, Step.Page.FIRST, 5, false),
                new Step.Drain(engine, 0),
                new Step.Pass(61_000),
                new Step.UsePolicy(engine, choices.pick(List.of(Policies.PULL, Policies.ACTIVE_1))),
                new Step.FailNext(engine, "pulled.put", 1, Fault.FAIL_BEFORE),
                choices.publishBy(author, engine));
    }

    /**
     * A delete whose retraction ends before the interrupted operation continues. That takes longer than any lease, so
     * the interrupted operation must not die as well.
     */
    private static List<Step> deletion(int interrupted, Step delete) {
        int other = 1 - interrupted;
        return List.of(
                new Step.Disarm(interrupted),
                delete,
                new Step.Drain(other, 0),
                new Step.Pass(11_000),
                new Step.Drain(other, 0));
    }

    private Step during(int engine, Step outer, int calls) {
        List<Step> inner = new ArrayList<>();
        int count = 1 + choices.below(4);
        while (inner.size() < count) {
            if (choices.oneIn(4)) {
                inner.add(alongside(engine));
            } else {
                meanwhile(engine, 1 - engine, inner);
            }
        }
        return broken(engine, outer, calls, List.copyOf(inner));
    }

    private Step broken(int engine, Step outer, int calls, List<Step> inner) {
        return new Step.Interleave(engine, outer, 1 + choices.below(calls), choices.oneIn(3), inner);
    }

    /** An operation of another thread of the same engine. It must not wait for the operation that it interrupts. */
    private Step alongside(int engine) {
        return switch (choices.below(5)) {
            case 0, 1 -> choices.publish(engine);
            case 2 -> choices.delete(engine);
            case 3 -> new Step.Follow(engine, choices.reader(), choices.author(), true);
            default -> new Step.Unfollow(engine, choices.reader(), choices.author());
        };
    }

    /** Adds steps of another engine, which interrupt an operation. */
    private void meanwhile(int engine, int other, List<Step> inner) {
        switch (choices.below(13)) {
            case 0, 1 -> inner.add(choices.publish(other));
            case 2 -> inner.add(choices.delete(other));
            case 3 -> inner.addAll(deletion(engine, choices.delete(other)));
            case 4 -> inner.add(new Step.Follow(other, choices.reader(), choices.author(), true));
            case 5 -> inner.add(new Step.Unfollow(other, choices.reader(), choices.author()));
            case 6, 7 -> inner.add(choices.read(other));
            case 8, 9 -> inner.add(new Step.Drain(other, 0));
            case 10 -> inner.add(new Step.Pass(choices.pick(List.of(1L, 999L, 3000L))));
            case 11 -> inner.add(new Step.Evict(choices.reader()));
            default -> inner.add(new Step.Refresh(other, choices.reader()));
        }
    }
}
