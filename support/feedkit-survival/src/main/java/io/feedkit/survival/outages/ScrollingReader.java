package io.feedkit.survival.outages;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/**
 * A reader who scrolls from the newest to the oldest post, again and again, and compares each walk with what was
 * published. A post that is published during a walk may or may not be in it.
 */
final class ScrollingReader implements AutoCloseable {

    /** How long other engines, and pages before a push, may not show a post. */
    private static final long SETTLED_MILLIS = 5_000;

    private static final int PAGE = 20;

    private final FeedEngine feed;
    private final String reader;
    private final NavigableSet<Post> published = new ConcurrentSkipListSet<>(Comparator.comparing(Post::publishedAt)
            .reversed()
            .thenComparing(Post::author)
            .thenComparing(Post::id));
    private final Thread thread = new Thread(this::scroll, "reader");
    private volatile boolean closed;
    private volatile long held = Long.MAX_VALUE;
    private int pages;
    private int refused;
    private final List<String> wrong = new ArrayList<>();

    ScrollingReader(FeedEngine feed, String reader) {
        this.feed = feed;
        this.reader = reader;
    }

    void start() {
        thread.start();
    }

    /** Expects a post from now on, or when it is delivered. */
    void expect(Post post) {
        published.add(post);
    }

    /** Pages need not show posts that are newer than this, because their delivery waits. */
    void holdAfter(long millis) {
        held = millis;
    }

    private void scroll() {
        while (!closed) {
            try {
                long began = System.currentTimeMillis();
                compare(walk(), Math.min(held, began - SETTLED_MILLIS));
            } catch (FeedKitException e) {
                count(0, 1, List.of());
                sleep();
            }
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAGE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Post> walk() {
        List<Post> walked = new ArrayList<>();
        PageRequest next = PageRequest.first(PAGE);
        while (true) {
            FeedPage<Post> page = feed.read(reader, next);
            count(1, 0, List.of());
            walked.addAll(page.items());
            if (page.older().isEmpty() || closed) {
                return walked;
            }
            next = PageRequest.older(page.older().get(), PAGE);
        }
    }

    private void compare(List<Post> walked, long settled) {
        NavigableSet<Post> shown = new TreeSet<>(published.comparator());
        List<String> differences = new ArrayList<>();
        for (Post post : walked) {
            if (!shown.add(post)) {
                differences.add(post + " was shown twice");
            } else if (!published.contains(post)) {
                differences.add(post + " was shown, but not published");
            }
        }
        if (!closed) {
            published.stream()
                    .filter(post -> post.publishedAt().toEpochMilli() < settled && !shown.contains(post))
                    .forEach(post -> differences.add(post + " was not shown"));
        }
        count(0, 0, differences);
    }

    private synchronized void count(int read, int failed, List<String> differences) {
        pages += read;
        refused += failed;
        wrong.addAll(differences);
    }

    /** A line about what was read since the last call. */
    synchronized String report() {
        String line = pages + " pages read, " + refused + " refused, " + wrong.size() + " wrong"
                + (wrong.isEmpty() ? "" : ": " + wrong.get(0));
        pages = 0;
        refused = 0;
        return line;
    }

    synchronized boolean isAlwaysRight() {
        return wrong.isEmpty();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
