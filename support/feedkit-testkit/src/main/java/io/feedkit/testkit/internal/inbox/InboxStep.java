package io.feedkit.testkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One random operation on one reader's inbox. A step refers to the state of the run ("the stale generation"), so a
 * sequence stays meaningful when steps are left out.
 */
record InboxStep(String text, Action action) {

    /** No sum of {@link #PASSING} is equal to this or to {@link #LEASE}. */
    static final Duration LIVE_WINDOW = Duration.ofSeconds(10);

    static final Duration LEASE = Duration.ofSeconds(5);
    static final long PASSING = 3_001;

    /** Three authors use the same ids; all posts of one id, and some of different ids, are of the same time. */
    private static final List<Post> POSTS = IntStream.range(0, 42)
            .mapToObj(i -> Post.of("author-" + i % 3, String.valueOf(i / 3), Samples.EPOCH + (i / 3) * 7 % 11))
            .toList();

    /** The action of a step. */
    interface Action {
        void run(InboxRun run);
    }

    @Override
    public String toString() {
        return text;
    }

    static List<InboxStep> random(Random random, int count, boolean withTime) {
        List<InboxStep> steps = new ArrayList<>();
        steps.add(new InboxStep("open", run -> run.open(false)));
        while (steps.size() < count) {
            steps.add(random(random, withTime));
        }
        return steps;
    }

    private static InboxStep random(Random random, boolean withTime) {
        int kind = random.nextInt(100);
        if (kind < 35) {
            return deliver(random, withTime);
        } else if (kind < 45) {
            return merge(random);
        } else if (kind < 65) {
            return lifecycle(random);
        } else if (kind < 80) {
            return follows(random);
        } else if (kind < 88) {
            Post post = anyPost(random);
            return new InboxStep("retract " + post, run -> run.retract(post));
        } else if (kind < 94 || !withTime) {
            return read(random);
        }
        int times = 1 + random.nextInt(2);
        return new InboxStep("pass " + times * PASSING + " ms", run -> run.pass(times * PASSING));
    }

    private static InboxStep deliver(Random random, boolean withTime) {
        List<Post> posts = manyPosts(random, 4);
        if (!withTime || random.nextInt(4) > 0) {
            return new InboxStep("deliver " + posts, run -> run.deliver(posts));
        }
        long ago = random.nextInt(4) * PASSING;
        return new InboxStep("deliver if seen in the last " + ago + " ms " + posts, run -> run.deliver(posts, ago));
    }

    private static InboxStep merge(Random random) {
        boolean stale = random.nextInt(4) == 0;
        List<Post> posts = manyPosts(random, 12);
        Position at = Position.of(anyPost(random));
        Position floor = random.nextInt(3) == 0 ? at : random.nextBoolean() ? Position.LOWEST : at.next();
        return new InboxStep(
                "merge" + (stale ? " stale " : " ") + posts + " floor " + floor, run -> run.merge(stale, posts, floor));
    }

    private static InboxStep lifecycle(Random random) {
        boolean stale = random.nextInt(4) == 0;
        long mark = random.nextInt(100);
        long followees = random.nextInt(3);
        return switch (random.nextInt(12)) {
            case 0, 1 -> new InboxStep("open with replace", run -> run.open(true));
            case 2, 3, 4 -> new InboxStep("open", run -> run.open(false));
            case 5 -> new InboxStep("drop", InboxRun::drop);
            default ->
                new InboxStep(
                        "complete" + (stale ? " stale" : "") + " mark " + mark + " followees " + followees,
                        run -> run.complete(stale, mark, followees));
        };
    }

    private static InboxStep follows(Random random) {
        List<String> authors =
                manyPosts(random, 3).stream().map(Post::author).distinct().toList();
        if (authors.isEmpty()) {
            authors = List.of(anyPost(random).author());
        }
        return follows(random, authors);
    }

    private static InboxStep follows(Random random, List<String> authors) {
        boolean stale = random.nextInt(3) == 0;
        String old = stale ? " stale " : " ";
        long toggled = random.nextInt(3);
        return switch (random.nextInt(4)) {
            case 0, 1 -> new InboxStep("begin follow " + authors, run -> run.beginFollow(authors));
            case 2 ->
                new InboxStep(
                        "end" + old + "follow " + authors + " toggle " + toggled,
                        run -> run.endFollow(stale, authors, toggled));
            default -> new InboxStep("purge" + old + authors, run -> run.purge(stale, authors));
        };
    }

    private static InboxStep read(Random random) {
        Position a = Position.of(anyPost(random));
        Position b = Position.of(anyPost(random));
        PositionRange range = random.nextBoolean() ? PositionRange.below(a) : new PositionRange(a, b);
        Order order = random.nextBoolean() ? Order.NEWEST_FIRST : Order.OLDEST_FIRST;
        int limit = 1 + random.nextInt(12);
        boolean renew = random.nextBoolean();
        return new InboxStep(
                (renew ? "visit " : "look at ") + limit + " " + order + " of " + range,
                run -> run.read(range, order, limit, renew));
    }

    private static Post anyPost(Random random) {
        return POSTS.get(random.nextInt(POSTS.size()));
    }

    private static List<Post> manyPosts(Random random, int most) {
        return random.ints(random.nextInt(most + 1), 0, POSTS.size())
                .mapToObj(POSTS::get)
                .toList();
    }
}
