package io.feedkit.testkit.model;

import io.feedkit.testkit.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Actions of a host that must survive a failure of any call to the store. The first engine does them, while the second
 * engine works on the same store.
 *
 * @param name the scenario as a sentence
 * @param settings the engines' settings
 * @param before the steps before, without failures
 * @param act the steps in which a call fails
 */
record Scenario(String name, ModelSettings settings, List<Step> before, List<Step> act) {

    private static final String STAR = "7";
    private static final String READER = "a";
    private static final String OTHER = "B";
    private static final Step DRAIN = new Step.Drain(0, 0);
    private static final Step LATER = new Step.Pass(21_000);
    private static final Step GONE = new Step.Pass(ModelSettings.ACTIVE_WINDOW.toMillis() + 1000);

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        all.addAll(publishing());
        all.addAll(deleting());
        all.addAll(following());
        all.addAll(healing());
        all.addAll(seeing());
        return all;
    }

    private static List<Scenario> publishing() {
        Step five = new Step.Publish(
                0,
                List.of(
                        new Step.Draft(STAR, "five-1", 0),
                        new Step.Draft(OTHER, "five-2", -500),
                        new Step.Draft(STAR, "five-3", -86_400_000),
                        new Step.Draft(STAR, "five-1", 7),
                        new Step.Draft("~", "five-4", 60_000)),
                true);
        return List.of(
                of("A post is pushed", publish("x"), DRAIN, first(), LATER, DRAIN),
                of("A post is pulled", use(Policies.PULL), publish("x"), first(), DRAIN, first()),
                of("A post is pushed to active readers", use(Policies.ACTIVE_1), publish("x"), DRAIN, LATER, DRAIN),
                of(
                        "Readers come and go while posts are pushed to those who are online",
                        use(Policies.ONLINE),
                        publish("x"),
                        DRAIN,
                        first(),
                        GONE,
                        publish("y"),
                        DRAIN,
                        first(),
                        publish("z"),
                        DRAIN,
                        first()),
                of("Many posts are published at once", five, DRAIN, first()),
                of("Posts are imported", new Step.Import(0, OTHER, 5, -100, 1000, true), first(), DRAIN, first()),
                of(
                        "An author is pushed again after a catch-up",
                        use(Policies.PULL),
                        publish("x"),
                        DRAIN,
                        use(Policies.PUSH),
                        publish("y"),
                        DRAIN,
                        DRAIN,
                        first()),
                of(
                        "A huge fan-out is split",
                        ModelSettings.PLAIN.withSplitThreshold(2),
                        publish("x"),
                        DRAIN,
                        DRAIN,
                        first()),
                of(
                        "Own posts belong to the feed",
                        ModelSettings.PLAIN.withOwnPosts(),
                        publish("x"),
                        firstOf(STAR),
                        DRAIN),
                of(
                        "A task becomes a dead letter, and is replayed",
                        publish("x"),
                        new Step.FailNext(0, "inbox.deliver", 6, Fault.FAIL_BEFORE),
                        DRAIN,
                        LATER,
                        DRAIN,
                        LATER,
                        DRAIN,
                        first(),
                        new Step.ReplayDead(0),
                        DRAIN),
                of("Finished tasks are restarted", publish("x"), DRAIN, new Step.ReplayFinished(0), DRAIN));
    }

    private static List<Scenario> deleting() {
        Step delete = new Step.Delete(0, STAR, "x", true);
        Step elsewhere = new Step.Delete(1, STAR, "x", true);
        List<Scenario> deleting = new ArrayList<>();
        deleting.add(of("A post is deleted", publish("x"), DRAIN, delete, DRAIN, LATER, DRAIN, first()));
        deleting.add(of("A post is deleted before it is fanned out", publish("x"), delete, DRAIN, LATER, DRAIN));
        deleting.add(of("A post is deleted before it is published", delete, publish("x"), DRAIN, LATER, DRAIN));
        for (int call = 2; call <= 8; call += 2) {
            deleting.add(of(
                    "A post is deleted during its fan-out, before call " + call,
                    publish("x"),
                    new Step.Interleave(0, DRAIN, call, false, List.of(elsewhere)),
                    first(),
                    DRAIN,
                    LATER,
                    DRAIN));
        }
        deleting.add(of("A user's data is deleted", new Step.Forget(0, STAR), DRAIN, LATER, DRAIN, first()));
        return deleting;
    }

    private static List<Scenario> following() {
        Step unfollow = new Step.Unfollow(0, READER, STAR);
        Step follow = new Step.Follow(0, READER, STAR, true);
        Step elsewhere = new Step.Publish(1, List.of(new Step.Draft(STAR, "z", 0)), true);
        return List.of(
                of("A reader follows", new Step.Follow(0, "~", OTHER, true), firstOf("~")),
                of("A reader without an inbox follows", new Step.Evict(READER), new Step.Follow(0, READER, "~", true)),
                of(
                        "A reader follows many authors at once",
                        publish("x"),
                        new Step.FollowAll(0, "~", List.of(OTHER, READER, "007", STAR), true),
                        firstOf("~"),
                        DRAIN,
                        new Step.Publish(1, List.of(new Step.Draft(READER, "z", 0)), true),
                        new Step.Drain(1, 0),
                        firstOf("~")),
                of(
                        "A reader unfollows many authors at once",
                        publish("x"),
                        new Step.UnfollowAll(0, READER, List.of(OTHER, STAR, "007")),
                        first(),
                        DRAIN,
                        new Step.Delete(1, STAR, "x", true),
                        new Step.Drain(1, 0),
                        first()),
                of(
                        "A post is deleted after its reader followed",
                        publish("x"),
                        new Step.Follow(0, READER, "~", true),
                        new Step.Publish(1, List.of(new Step.Draft("~", "z", 0)), true),
                        new Step.Drain(1, 0),
                        first(),
                        new Step.Delete(1, "~", "z", true),
                        new Step.Drain(1, 0),
                        LATER,
                        new Step.Drain(1, 0),
                        first()),
                of(
                        "An author's followers move to another author",
                        publish("x"),
                        new Step.Evict(OTHER),
                        new Step.MoveFollowers(0, STAR, "~", true),
                        DRAIN,
                        new Step.Publish(1, List.of(new Step.Draft("~", "z", 0)), true),
                        elsewhere,
                        new Step.Drain(1, 0),
                        first(),
                        firstOf(OTHER)),
                of(
                        "Followers move while posts are fanned out and a reader unfollows",
                        publish("x"),
                        new Step.Interleave(
                                0,
                                new Step.MoveFollowers(0, STAR, "~", true),
                                4,
                                false,
                                List.of(elsewhere, new Step.Unfollow(1, READER, STAR), new Step.Drain(1, 0))),
                        DRAIN,
                        first()),
                of("A reader unfollows", unfollow, first()),
                of(
                        "A reader unfollows and follows again in the host's own graph",
                        ModelSettings.PLAIN.withHostGraph(),
                        unfollow,
                        first(),
                        follow,
                        first()),
                of(
                        "A reader unfollows and follows again",
                        publish("x"),
                        unfollow,
                        DRAIN,
                        publish("y"),
                        follow,
                        first()),
                of(
                        "A reader follows during a fan-out",
                        unfollow,
                        publish("x"),
                        new Step.Interleave(0, follow, 4, false, List.of(elsewhere, new Step.Drain(1, 0))),
                        DRAIN,
                        first()));
    }

    private static List<Scenario> healing() {
        Step elsewhere = new Step.Publish(1, List.of(new Step.Draft(STAR, "z", 0)), true);
        Step read = new Step.Read(0, READER, 0, Step.Page.OLDER, 5, false);
        return List.of(
                of("A lost inbox is built by a read", new Step.Evict(READER), first(), read, read),
                of("An inbox is rebuilt", publish("x"), new Step.Rebuild(0, READER), first(), DRAIN),
                of(
                        "An inbox is rebuilt while its posts are fanned out",
                        new Step.Interleave(
                                0, new Step.Rebuild(0, READER), 4, false, List.of(elsewhere, new Step.Drain(1, 0))),
                        first()),
                of("A hole is refreshed", new Step.LoseEntry(READER, 2), new Step.Refresh(0, READER), first()),
                of(
                        "Posts are marked as seen",
                        first(),
                        publish("x"),
                        DRAIN,
                        new Step.MarkSeen(0, READER, 0),
                        new Step.Unread(0, READER)));
    }

    /**
     * Pages that are made from other parts than the page before, and inboxes with entries that are not in the outboxes.
     */
    private static List<Scenario> seeing() {
        Step fromOutboxes = new Step.Read(0, READER, 0, Step.Page.FIRST, 5, false, true);
        Step newer = new Step.Read(0, READER, 0, Step.Page.NEWER, 5, false);
        Step ahead = new Step.Publish(1, List.of(new Step.Draft(STAR, "z", 0)), true);
        List<Scenario> seeing = new ArrayList<>();
        seeing.add(of(
                "A page is read from the outboxes while a push is due",
                publish("x"),
                fromOutboxes,
                first(),
                DRAIN,
                newer,
                LATER,
                DRAIN,
                first()));
        seeing.add(of(
                "An engine polls posts of one whose clock is minutes ahead",
                new Step.SetClock(1, 290_000),
                ahead,
                DRAIN,
                first(),
                publish("x"),
                DRAIN,
                newer,
                new Step.MarkSeen(0, READER, 0),
                new Step.Unread(0, READER)));
        seeing.add(of(
                "The host edits the time of a post",
                publish("x"),
                DRAIN,
                new Step.Edit(STAR, "x", -1500),
                new Step.Refresh(0, READER),
                first(),
                new Step.Delete(0, STAR, "x", true),
                DRAIN));
        seeing.add(of(
                "The host edits the time of a post that waits for its push",
                publish("x"),
                new Step.Edit(STAR, "x", -1500),
                DRAIN,
                first()));
        for (Step.Damage damage : Step.Damage.values()) {
            seeing.add(of(
                    "An inbox has an entry that is " + damage.name().toLowerCase(Locale.ROOT),
                    new Step.WrongEntry(READER, 2, damage),
                    new Step.Refresh(0, READER),
                    first()));
        }
        return seeing;
    }

    private static Step publish(String id) {
        return new Step.Publish(0, List.of(new Step.Draft(STAR, id, 0)), true);
    }

    private static Step use(Policies policy) {
        return new Step.UsePolicy(0, policy);
    }

    private static Step first() {
        return firstOf(READER);
    }

    private static Step firstOf(String reader) {
        return new Step.Read(0, reader, 0, Step.Page.FIRST, 5, true);
    }

    private static Scenario of(String name, Step... act) {
        return of(name, ModelSettings.PLAIN, act);
    }

    /** All users follow the star and have live inboxes, and some inboxes are full. */
    private static Scenario of(String name, ModelSettings settings, Step... act) {
        List<Step> before = new ArrayList<>();
        for (String user : Users.ALL) {
            before.add(new Step.Follow(1, user, STAR, true));
        }
        before.add(new Step.Follow(1, READER, OTHER, true));
        List<Step.Draft> drafts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            drafts.add(new Step.Draft(STAR, "s" + i, -i));
            drafts.add(new Step.Draft(OTHER, "o" + i, -i * 2L));
        }
        before.add(new Step.Publish(1, drafts, true));
        before.add(new Step.Drain(1, 0));
        for (String user : Users.ALL) {
            before.add(new Step.Read(1, user, 0, Step.Page.FIRST, 3, false));
        }
        return new Scenario(name, settings, before, List.of(act));
    }

    /** This scenario with a host that does not repeat failed calls, if that is allowed. */
    Scenario withoutRepeats() {
        return new Scenario(
                name, settings, before, act.stream().map(Scenario::once).toList());
    }

    private static Step once(Step step) {
        if (step instanceof Step.Publish publish) {
            return new Step.Publish(publish.engine(), publish.drafts(), false);
        } else if (step instanceof Step.Delete delete) {
            return new Step.Delete(delete.engine(), delete.author(), delete.id(), false);
        } else if (step instanceof Step.Follow follow) {
            return new Step.Follow(follow.engine(), follow.reader(), follow.author(), false);
        } else if (step instanceof Step.FollowAll follow) {
            return new Step.FollowAll(follow.engine(), follow.reader(), follow.authors(), false);
        } else if (step instanceof Step.Interleave interleave) {
            return new Step.Interleave(
                    interleave.engine(),
                    once(interleave.outer()),
                    interleave.call(),
                    interleave.answered(),
                    interleave.inner());
        }
        return step;
    }
}
