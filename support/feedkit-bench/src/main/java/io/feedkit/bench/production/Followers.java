package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.Callers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** A hundred authors with twenty followers each. Every reader follows two of them. */
final class Followers {

    static final String AUTHOR = "author";
    static final int AUTHORS = 100;

    private static final int EACH = 20;
    private static final int READERS = 1000;
    private static final int THREADS = 8;

    private Followers() {}

    static String author(int number) {
        return TimedPosts.author(AUTHOR, number % AUTHORS);
    }

    static String reader(int number) {
        return "reader" + number % READERS;
    }

    /** A follower of an author. */
    static String followerOf(int author) {
        return reader(author % AUTHORS * EACH);
    }

    static void follow(Shape shape) {
        Map<String, Set<String>> followers = new LinkedHashMap<>();
        for (int author = 0; author < AUTHORS; author++) {
            Set<String> readers = new LinkedHashSet<>();
            for (int i = 0; i < EACH; i++) {
                readers.add(reader(author * EACH + i));
            }
            followers.put(author(author), readers);
        }
        shape.follow(followers);
    }

    /** Gives every reader an inbox. */
    static void visit(FeedEngine engine) {
        visit(engine, IntStream.range(0, READERS).mapToObj(Followers::reader).toList());
    }

    /** Gives readers inboxes. */
    static void visit(FeedEngine engine, List<String> readers) {
        new Callers(THREADS, Duration.ZERO).forEach(readers, reader -> engine.read(reader, PageRequest.first(1)));
    }
}
