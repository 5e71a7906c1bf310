package io.feedkit.bench.scale.outage;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The load: publishes and deletes, follows and unfollows, and page reads. Each of the three is used by one thread. */
final class OutageLoad {

    static final int READERS = 200;
    static final String PULLED = "pulled-";

    private static final int AUTHORS = 100;
    private static final int OF_THEM_PULLED = 20;
    private static final int FOLLOWEES = 40;
    private static final int EARLIER_POSTS = 30;
    private static final int KEPT = 50;
    private static final String READING = "page-reader";

    private final FeedEngine engine;
    private final History history;
    private final List<String> authors = IntStream.range(0, AUTHORS)
            .mapToObj(i -> (i < OF_THEM_PULLED ? PULLED : "pushed-") + i)
            .toList();
    private final SplittableRandom posting = new SplittableRandom(1);
    private final SplittableRandom following = new SplittableRandom(2);
    private final List<History.Entry> entries = new ArrayList<>();
    private Optional<Runnable> unfinished = Optional.empty();
    private int posts;

    OutageLoad(FeedEngine engine, History history) {
        this.engine = engine;
        this.history = history;
    }

    static String reader(int number) {
        return "reader-" + number;
    }

    /** Marks this thread, by its name, as one that reads pages. */
    static void reading() {
        Thread.currentThread().setName(READING);
    }

    /** Whether this thread reads pages. */
    static boolean isReading() {
        return Thread.currentThread().getName().equals(READING);
    }

    /** Publishes the earlier posts, and makes the readers follow authors. */
    void begin() {
        for (int i = 0; i < EARLIER_POSTS * AUTHORS; i++) {
            publish();
        }
        for (int i = 0; i < READERS; i++) {
            int first = i;
            List<String> followees = IntStream.range(0, FOLLOWEES)
                    .mapToObj(n -> authors.get((first + n * (AUTHORS / FOLLOWEES)) % AUTHORS))
                    .distinct()
                    .toList();
            engine.followAll(reader(i), followees);
            history.follows(reader(i), followees);
        }
    }

    /** Gives every reader an inbox. */
    void visitAll() {
        IntStream.range(0, READERS).forEach(i -> engine.read(reader(i), PageRequest.first(1)));
    }

    void publish() {
        String author = authors.get(posting.nextInt(AUTHORS));
        Post post = Post.of(author, String.format("%09d", posts++), System.currentTimeMillis());
        History.Entry entry = history.post(post);
        engine.publish(post);
        entry.published().acknowledge();
        entries.add(entry);
    }

    /** Deletes one of the latest posts. */
    void delete() {
        History.Entry entry = entries.remove(entries.size() - 1 - posting.nextInt(KEPT));
        PostKey key = entry.post().key();
        entry.deleted().ask();
        engine.deleteAll(List.of(key));
        entry.deleted().acknowledge();
    }

    /** Follows or unfollows, unless an earlier failed change has to be repeated. */
    void follow() {
        if (unfinished.isEmpty()) {
            String reader = reader(following.nextInt(READERS));
            String author = authors.get(following.nextInt(AUTHORS));
            Edge edge = history.edge(reader, author);
            Transition transition = edge.turn();
            boolean follow = edge.follows();
            unfinished = Optional.of(() -> {
                if (follow) {
                    engine.follow(reader, author);
                } else {
                    engine.unfollow(reader, author);
                }
                transition.acknowledge();
            });
        }
        finish();
    }

    /** Repeats the change that failed before. Returns false if it fails again. */
    boolean finish() {
        try {
            unfinished.ifPresent(Runnable::run);
            unfinished = Optional.empty();
            return true;
        } catch (FeedKitException e) {
            return false;
        }
    }
}
