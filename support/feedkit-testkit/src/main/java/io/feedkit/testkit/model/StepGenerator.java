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
    private final List<Step.Draft> published = new ArrayList<>();
    private String reader = Users.ALL.get(0);
    private String author = Users.ALL.get(1);
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
        if (random.nextInt(12) == 0) {
            reader = pick(Users.ALL);
            author = pick(Users.ALL);
        }
        int engine = random.nextInt(Cluster.ENGINES);
        int kind = random.nextInt(100);
        if (kind < 20) {
            steps.add(publish(engine));
        } else if (kind < 30) {
            steps.add(follows(engine));
        } else if (kind < 47) {
            steps.add(read(engine));
        } else if (kind < 56) {
            steps.add(drain(engine));
        } else if (kind < 61) {
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
            String feed = reader();
            String again = author();
            steps.add(new Step.Unfollow(engine, feed, again));
            steps.add(new Step.Follow(random.nextInt(Cluster.ENGINES), feed, again, true));
        } else {
            steps.add(rare(engine));
        }
    }

    private Step rare(int engine) {
        return switch (random.nextInt(15)) {
            case 0, 1 -> new Step.UsePolicy(engine, pick(List.of(Policies.values())));
            case 2 -> new Step.Refresh(engine, reader());
            case 3 -> new Step.Rebuild(engine, reader());
            case 4 -> new Step.Forget(engine, reader());
            case 5, 6 -> new Step.Evict(reader());
            case 7 -> new Step.LoseEntry(reader(), random.nextInt(4));
            case 8 -> new Step.ToggleMute(reader(), author());
            case 9 -> toggleContent();
            case 10 -> new Step.ReplayDead(engine);
            case 11 -> new Step.ReplayFinished(engine);
            case 12 -> new Step.Restart(engine);
            case 13 -> new Step.Settle();
            default ->
                new Step.Import(
                        engine,
                        author(),
                        pick(List.of(3, 15, 60, 60, 250)),
                        -random.nextInt(5000),
                        pick(List.of(0L, 1L, 1000L)),
                        true);
        };
    }

    private Step toggleContent() {
        Step.Draft earlier = earlier();
        return new Step.ToggleContent(earlier.author(), earlier.id());
    }

    private Step publish(int engine) {
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(14) : 1;
        boolean oneAuthor = random.nextBoolean();
        String author = author();
        List<Step.Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Step.Draft draft = random.nextInt(12) == 0
                    ? again()
                    : new Step.Draft(oneAuthor ? author : author(), id(ids++), offset());
            drafts.add(draft);
            published.add(draft);
        }
        return new Step.Publish(engine, drafts, random.nextBoolean());
    }

    /** An earlier post once more, possibly at another time. */
    private Step.Draft again() {
        Step.Draft earlier = earlier();
        return new Step.Draft(earlier.author(), earlier.id(), offset());
    }

    /** A post of before, most often one of the latest. */
    private Step.Draft earlier() {
        if (published.isEmpty()) {
            return new Step.Draft(author(), id(0), 0);
        }
        int range = random.nextBoolean() ? Math.min(8, published.size()) : published.size();
        return published.get(published.size() - 1 - random.nextInt(range));
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
                ? new Step.Follow(engine, reader(), author(), random.nextBoolean())
                : new Step.Unfollow(engine, reader(), author());
    }

    private Step read(int engine) {
        String reader = reader();
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
        if (random.nextInt(10) == 0) {
            return new Step.Delete(engine, author(), id(ids++), true);
        }
        Step.Draft earlier = earlier();
        return new Step.Delete(engine, earlier.author(), earlier.id(), random.nextBoolean());
    }

    private Step interleave(int engine) {
        int other = 1 - engine;
        Step outer = switch (random.nextInt(10)) {
            case 0 -> publish(engine);
            case 1 -> delete(engine);
            case 2, 3 -> new Step.Follow(engine, reader(), author(), true);
            case 4 -> new Step.Unfollow(engine, reader(), author());
            case 5 -> new Step.Refresh(engine, reader());
            case 6 -> new Step.Rebuild(engine, reader());
            case 7 -> read(engine);
            default -> drain(engine);
        };
        List<Step> inner = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        while (inner.size() < count) {
            meanwhile(engine, other, inner);
        }
        return new Step.Interleave(engine, outer, 1 + random.nextInt(14), List.copyOf(inner));
    }

    /** Adds something that another engine does in the middle of an operation. */
    private void meanwhile(int engine, int other, List<Step> inner) {
        switch (random.nextInt(13)) {
            case 0, 1 -> inner.add(publish(other));
            case 2 -> inner.add(delete(other));
            case 3 -> {
                // The retraction is over before the operation goes on: longer than any lease, so it must not die as
                // well.
                inner.add(new Step.Disarm(engine));
                inner.add(delete(other));
                inner.add(new Step.Drain(other, 0));
                inner.add(new Step.Pass(11_000));
                inner.add(new Step.Drain(other, 0));
            }
            case 4 -> inner.add(new Step.Follow(other, reader(), author(), true));
            case 5 -> inner.add(new Step.Unfollow(other, reader(), author()));
            case 6, 7 -> inner.add(read(other));
            case 8, 9 -> inner.add(new Step.Drain(other, 0));
            case 10 -> inner.add(new Step.Pass(pick(List.of(1L, 999L, 3000L))));
            case 11 -> inner.add(new Step.Evict(reader()));
            default -> inner.add(new Step.Refresh(other, reader()));
        }
    }

    private Fault fault() {
        return pick(List.of(Fault.values()));
    }

    /** Often the same reader for a while, so that what happens has to do with each other. */
    private String reader() {
        return random.nextBoolean() ? reader : pick(Users.ALL);
    }

    private String author() {
        return random.nextBoolean() ? author : pick(Users.ALL);
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
