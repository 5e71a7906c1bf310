package io.feedkit.tools.migrate;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.migration.FeedComparison;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Moves a home-made feed to FeedKit while both take new posts, and back. The steps are those of the guide: write to
 * both, import follows and posts, mark them as seen, compare a sample, read from FeedKit, read from the old feed again.
 */
final class Migration {

    /** How many posts are imported in one call. */
    private static final int IMPORTED = 20_000;

    /** How many new posts are published together. */
    private static final int PUBLISHED = 200;

    /** How many posts of each sampled feed are compared. */
    static final int COMPARED = 100;

    private static final int PAGE = 20;

    /** Below the ids of all authors and posts. */
    private static final PostKey BEGINNING = new PostKey("!", "!");

    private final RecordedFeed recorded;
    private final OldFeed old;
    private final FeedEngine feed;
    private final int sample;
    private final Consumer<String> out;
    private int differences;

    Migration(RecordedFeed recorded, OldFeed old, FeedEngine feed, int sample, Consumer<String> out) {
        this.recorded = recorded;
        this.old = old;
        this.feed = feed;
        this.sample = sample;
        this.out = out;
    }

    /** Runs all steps. Returns how many feeds differed. */
    int run() {
        List<Post> posts = recorded.posts();
        int earlier = posts.size() * 8 / 10;
        int untilSwitch = posts.size() * 9 / 10;
        buildOldFeed(posts.subList(0, earlier));
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try {
            Future<?> arriving = writer.submit(() -> publishToBoth(posts.subList(earlier, untilSwitch)));
            importAll();
            arrived(arriving, untilSwitch - earlier);
            compare("compared before the switch");
            read("read from the old feed", reader -> old.newest(reader, PAGE).size());
            arriving = writer.submit(() -> publishToBoth(posts.subList(untilSwitch, posts.size())));
            read(
                    "read from FeedKit",
                    reader -> feed.read(reader, PageRequest.first(PAGE)).items().size());
            arrived(arriving, posts.size() - untilSwitch);
            compare("compared after the switch");
            read(
                    "read from the old feed again",
                    reader -> old.newest(reader, PAGE).size());
        } finally {
            writer.shutdownNow();
        }
        return differences;
    }

    private void buildOldFeed(List<Post> posts) {
        Stopwatch time = new Stopwatch();
        old.follow(recorded.followees());
        long entries = 0;
        for (int from = 0; from < posts.size(); from += IMPORTED) {
            entries += old.publish(posts.subList(from, Math.min(posts.size(), from + IMPORTED)));
        }
        print("old feed built", "%,d follows, %,d posts, %,d entries", time, recorded.follows(), posts.size(), entries);
    }

    private void publishToBoth(List<Post> posts) {
        for (int from = 0; from < posts.size(); from += PUBLISHED) {
            List<Post> some = posts.subList(from, Math.min(posts.size(), from + PUBLISHED));
            old.publish(some);
            feed.publishAll(some);
        }
    }

    private void importAll() {
        Stopwatch time = new Stopwatch();
        recorded.followees().forEach(feed::followAll);
        print(
                "follows imported",
                "%,d of %,d readers",
                time,
                recorded.follows(),
                recorded.followees().size());
        time = new Stopwatch();
        long imported = 0;
        List<Post> page = old.page(BEGINNING, IMPORTED);
        while (!page.isEmpty()) {
            feed.importPosts(page);
            imported += page.size();
            page = old.page(page.get(page.size() - 1).key(), IMPORTED);
        }
        print("posts imported", "%,d", time, imported);
        time = new Stopwatch();
        feed.markSeen(recorded.followees().keySet(), Cursor.at(Instant.now()));
        print("marked as seen", "%,d readers", time, recorded.followees().size());
    }

    private void arrived(Future<?> arriving, int posts) {
        Stopwatch time = new Stopwatch();
        try {
            arriving.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("new posts could not be published: " + e.getCause(), e);
        }
        feed.fanout().drain();
        print("new posts arrived in both", "%,d, waited", time, posts);
    }

    private List<String> readers() {
        List<String> readers = new ArrayList<>(recorded.followees().keySet());
        Collections.shuffle(readers, new Random(1));
        return readers.subList(0, Math.min(sample, readers.size()));
    }

    private void compare(String step) {
        Stopwatch time = new Stopwatch();
        FeedComparison.Result result = FeedComparison.of(feed, reader -> old.newest(reader, COMPARED))
                .posts(COMPARED)
                .readersPerSecond(100)
                .compare(readers());
        print(
                step,
                "%,d readers, %,d different",
                time,
                result.readers(),
                result.differences().size());
        result.differences().stream().limit(5).forEach(difference -> out.accept("  " + difference));
        differences += result.differences().size();
    }

    private interface FirstPage {
        int read(String reader);
    }

    private void read(String step, FirstPage page) {
        Stopwatch time = new Stopwatch();
        List<String> readers = readers();
        long[] micros = new long[readers.size()];
        int posts = 0;
        for (int i = 0; i < micros.length; i++) {
            long start = System.nanoTime();
            posts += page.read(readers.get(i));
            micros[i] = (System.nanoTime() - start) / 1000;
        }
        Arrays.sort(micros);
        print(
                step,
                "%,d first pages, %,d posts, p50 %,d µs, p99 %,d µs",
                time,
                micros.length,
                posts,
                micros[micros.length / 2],
                micros[micros.length * 99 / 100]);
    }

    private void print(String step, String format, Stopwatch time, Object... values) {
        out.accept(String.format(
                Locale.ROOT,
                "%-29s %s in %.1f s",
                step + ":",
                String.format(Locale.ROOT, format, values),
                time.seconds()));
    }
}
