package io.feedkit.testkit.model;

import io.feedkit.testkit.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up steps. What it makes up depends on its random numbers alone, never on what a run answers. */
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
            "pulled.version");
    private static final long DAY = 86_400_000L;

    private final Random random;
    private int ids;

    StepGenerator(Random random) {
        this.random = random;
    }

    List<Step> steps(int count) {
        List<Step> steps = new ArrayList<>();
        while (steps.size() < count) {
            add(steps);
        }
        return steps;
    }

    private void add(List<Step> steps) {
        int engine = random.nextInt(Cluster.ENGINES);
        int kind = random.nextInt(100);
        if (kind < 25) {
            steps.add(publish(engine));
        } else if (kind < 36) {
            steps.add(follows(engine));
        } else if (kind < 56) {
            steps.add(read(engine));
        } else if (kind < 66) {
            steps.add(drain(engine));
        } else if (kind < 71) {
            steps.add(delete(engine));
        } else if (kind < 80) {
            steps.add(interleave(engine));
        } else if (kind < 84) {
            steps.add(new Step.FailAt(engine, 1 + random.nextInt(8), fault()));
        } else if (kind < 86) {
            steps.add(new Step.FailNext(engine, pick(FRAGILE), 1 + random.nextInt(6), Fault.FAIL_AFTER));
        } else if (kind < 90) {
            steps.add(new Step.Pass(pick(List.of(1L, 1L, 999L, 1000L, 5000L, 11_000L, 61_000L))));
        } else if (kind < 92) {
            String reader = user();
            String author = user();
            steps.add(new Step.Unfollow(engine, reader, author));
            steps.add(new Step.Follow(random.nextInt(Cluster.ENGINES), reader, author, true));
        } else {
            steps.add(rare(engine));
        }
    }

    private Step rare(int engine) {
        return switch (random.nextInt(15)) {
            case 0, 1 -> new Step.UsePolicy(engine, pick(List.of(Policies.values())));
            case 2 -> new Step.Refresh(engine, user());
            case 3 -> new Step.Rebuild(engine, user());
            case 4 -> new Step.Forget(engine, user());
            case 5, 6 -> new Step.Evict(user());
            case 7 -> new Step.LoseEntry(user(), random.nextInt(4));
            case 8 -> new Step.ToggleMute(user(), user());
            case 9 -> new Step.ToggleContent(user(), earlierId());
            case 10 -> new Step.ReplayDead(engine);
            case 11 -> new Step.ReplayFinished(engine);
            case 12 -> new Step.Restart(engine);
            case 13 -> new Step.Settle();
            default ->
                new Step.Import(
                        engine,
                        user(),
                        pick(List.of(3, 15, 60, 60, 250)),
                        -random.nextInt(5000),
                        pick(List.of(0L, 1L, 1000L)),
                        true);
        };
    }

    private Step publish(int engine) {
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(14) : 1;
        boolean oneAuthor = random.nextBoolean();
        String author = user();
        List<Step.Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drafts.add(new Step.Draft(
                    oneAuthor ? author : user(), random.nextInt(12) == 0 ? earlierId() : freshId(), offset()));
        }
        return new Step.Publish(engine, drafts, random.nextBoolean());
    }

    private long offset() {
        return switch (random.nextInt(8)) {
            case 0 -> -random.nextInt(10_000);
            case 1 -> -DAY * random.nextInt(30);
            case 2 -> random.nextInt(299_000);
            default -> 0;
        };
    }

    private Step follows(int engine) {
        return random.nextInt(10) < 7
                ? new Step.Follow(engine, user(), user(), random.nextBoolean())
                : new Step.Unfollow(engine, user(), user());
    }

    private Step read(int engine) {
        String reader = user();
        int walk = random.nextInt(2);
        return switch (random.nextInt(12)) {
            case 0 -> new Step.Unread(engine, reader);
            case 1 -> new Step.MarkSeen(engine, reader, walk);
            case 2, 3, 4, 5 -> page(engine, reader, walk, Step.Page.FIRST);
            case 6, 7, 8 -> page(engine, reader, walk, Step.Page.OLDER);
            default -> page(engine, reader, walk, Step.Page.NEWER);
        };
    }

    private Step page(int engine, String reader, int walk, Step.Page page) {
        return new Step.Read(engine, reader, walk, page, pick(List.of(1, 2, 3, 5, 9, 20, 100)), random.nextInt(3) == 0);
    }

    private Step drain(int engine) {
        return new Step.Drain(engine, random.nextInt(3) == 0 ? 1 + random.nextInt(12) : 0);
    }

    private Step delete(int engine) {
        return new Step.Delete(engine, user(), random.nextInt(8) == 0 ? freshId() : earlierId(), random.nextBoolean());
    }

    private Step interleave(int engine) {
        int other = 1 - engine;
        Step outer = switch (random.nextInt(10)) {
            case 0 -> publish(engine);
            case 1 -> delete(engine);
            case 2 -> new Step.Follow(engine, user(), user(), true);
            case 3 -> new Step.Unfollow(engine, user(), user());
            case 4 -> new Step.Refresh(engine, user());
            case 5 -> new Step.Rebuild(engine, user());
            case 6, 7 -> read(engine);
            default -> drain(engine);
        };
        List<Step> inner = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        while (inner.size() < count) {
            inner.add(
                    switch (random.nextInt(12)) {
                        case 0, 1 -> publish(other);
                        case 2, 3 -> delete(other);
                        case 4 -> new Step.Follow(other, user(), user(), true);
                        case 5 -> new Step.Unfollow(other, user(), user());
                        case 6, 7 -> read(other);
                        case 8, 9 -> new Step.Drain(other, 0);
                        case 10 -> new Step.Pass(pick(List.of(1L, 999L, 3000L)));
                        default -> random.nextBoolean() ? new Step.Evict(user()) : new Step.Refresh(other, user());
                    });
        }
        return new Step.Interleave(engine, outer, 1 + random.nextInt(14), List.copyOf(inner));
    }

    private Fault fault() {
        return pick(List.of(Fault.values()));
    }

    /** Some users do more than others. */
    private String user() {
        return Users.ALL.get(Math.min(random.nextInt(Users.ALL.size()), random.nextInt(Users.ALL.size())));
    }

    private String freshId() {
        return id(ids++);
    }

    private String earlierId() {
        return id(random.nextInt(ids + 1));
    }

    private static String id(int number) {
        return switch (number % 3) {
            case 0 -> Integer.toString(number);
            case 1 -> "0" + number;
            default -> "p" + number;
        };
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
