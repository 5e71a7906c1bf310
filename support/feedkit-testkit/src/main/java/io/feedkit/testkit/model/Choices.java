package io.feedkit.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Chooses the parts of steps by random numbers alone. It often keeps a pair of users for a while, and prefers recent
 * posts, so that steps concern the same users and posts.
 */
final class Choices {

    private static final long DAY = 86_400_000L;

    private final Random random;
    private final List<Step.Draft> published = new ArrayList<>();
    private String reader = Users.ALL.get(0);
    private String author = Users.ALL.get(1);
    private int ids;

    Choices(Random random) {
        this.random = random;
    }

    /** Changes the pair of users that most steps concern. */
    void changePair() {
        reader = pick(Users.ALL);
        author = pick(Users.ALL);
    }

    String reader() {
        return random.nextBoolean() ? reader : pick(Users.ALL);
    }

    String author() {
        return random.nextBoolean() ? author : pick(Users.ALL);
    }

    int engine() {
        return random.nextInt(Cluster.ENGINES);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    Step publish(int engine) {
        int count = oneIn(4) ? 1 + random.nextInt(14) : 1;
        boolean oneAuthor = random.nextBoolean();
        String same = author();
        List<Step.Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drafts.add(oneIn(12) ? again() : draft(oneAuthor ? same : author()));
        }
        published.addAll(drafts);
        return new Step.Publish(engine, drafts, random.nextBoolean());
    }

    /** Some new posts of one author. */
    Step.Publish publishBy(String one, int engine) {
        List<Step.Draft> drafts = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); drafts.size() < count; ) {
            drafts.add(draft(one));
        }
        published.addAll(drafts);
        return new Step.Publish(engine, drafts, true);
    }

    Step delete(int engine) {
        if (oneIn(10)) {
            return new Step.Delete(engine, author(), nextId(), true);
        }
        Step.Draft earlier = earlier();
        return new Step.Delete(engine, earlier.author(), earlier.id(), random.nextBoolean());
    }

    Step read(int engine) {
        String who = reader();
        int walk = random.nextInt(2);
        return switch (random.nextInt(12)) {
            case 0 -> new Step.Unread(engine, who);
            case 1 -> new Step.MarkSeen(engine, who, walk);
            case 2, 3, 4, 5 -> page(engine, who, walk, Step.Page.FIRST);
            case 6, 7, 8 -> page(engine, who, walk, Step.Page.OLDER);
            default -> page(engine, who, walk, Step.Page.NEWER);
        };
    }

    private Step page(int engine, String who, int walk, Step.Page page) {
        return new Step.Read(engine, who, walk, page, pick(List.of(1, 2, 3, 5, 9, 20, 100)), oneIn(3), oneIn(6));
    }

    Step drain(int engine) {
        return new Step.Drain(engine, oneIn(3) ? 1 + random.nextInt(12) : 0);
    }

    /** An earlier post, usually one of the latest. */
    Step.Draft earlier() {
        if (published.isEmpty()) {
            return new Step.Draft(author(), id(0), 0);
        }
        int range = random.nextBoolean() ? Math.min(8, published.size()) : published.size();
        return published.get(published.size() - 1 - random.nextInt(range));
    }

    /** An earlier post again, possibly at another time. */
    private Step.Draft again() {
        Step.Draft earlier = earlier();
        return new Step.Draft(earlier.author(), earlier.id(), offset());
    }

    private Step.Draft draft(String of) {
        return new Step.Draft(of, nextId(), offset());
    }

    private long offset() {
        return switch (random.nextInt(8)) {
            case 0 -> -random.nextInt(10_000);
            case 1 -> -DAY * random.nextInt(30);
            case 2 -> random.nextInt(299_000);
            default -> 0;
        };
    }

    private String nextId() {
        return id(ids++);
    }

    private static String id(int number) {
        return switch (number % 3) {
            case 0 -> Integer.toString(number);
            case 1 -> "0" + number;
            default -> "p" + number;
        };
    }
}
