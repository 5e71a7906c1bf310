package io.feedkit.testkit.internal;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.Position;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Posts and ids for tests. */
public final class Samples {

    /** The time around which sample posts are dated. */
    public static final long EPOCH = 1_700_000_000_000L;

    /**
     * Valid ids that a careless store confuses or rejects: separators, hash tags, patterns and wildcards, quotes, case,
     * leading zeros, prefixes of each other, and the greatest length.
     */
    public static final List<String> AWKWARD_IDS = List.of(
            "a",
            "A",
            "aa",
            "a:",
            "a:b",
            "a:b:c",
            ":",
            "{",
            "}",
            "{a}",
            "a{b}c",
            "{}",
            "*",
            "a*",
            "?",
            "[a]",
            "%",
            "a%",
            "%d",
            "_",
            "a_",
            "7",
            "07",
            "007",
            "-7",
            "7.0",
            "7e0",
            "0",
            "null",
            "NULL",
            "'",
            "''",
            "\"",
            "`",
            "\\",
            "\\0",
            "/",
            "//",
            "..",
            "#",
            "$1",
            "--",
            ";",
            "!",
            "~",
            "|",
            ",",
            "(",
            "&",
            "x".repeat(64),
            "x".repeat(63),
            "x".repeat(63) + "y",
            "X".repeat(64),
            "{" + "x".repeat(63));

    private Samples() {}

    /** The n-th of an author's posts, one millisecond after the one before. */
    public static Post post(String author, int n) {
        return Post.of(author, String.format("p%04d", n), EPOCH + n);
    }

    /** The posts 1 to {@code count} of an author, oldest first. */
    public static List<Post> posts(String author, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(n -> post(author, n)).toList();
    }

    /** A cursor below every post. An engine returns it with an empty feed if its clock shows the earliest time. */
    public static Cursor bottom() {
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        try (FeedEngine engine = FeedEngine.inMemory().clock(clock).workers(0).build()) {
            return engine.read("nobody", PageRequest.first(1)).newer();
        }
    }

    /** Sorts posts in the order of a feed. */
    public static List<Post> newestFirst(Collection<Post> posts) {
        return posts.stream()
                .sorted(Collections.reverseOrder(Position::compare))
                .toList();
    }

    /** Sorts posts from the bottom of a feed to its top. */
    public static List<Post> oldestFirst(Collection<Post> posts) {
        return posts.stream().sorted(Position::compare).toList();
    }

    /** The same elements in another order. */
    public static <T> List<T> shuffled(Collection<T> elements, long seed) {
        List<T> copy = new ArrayList<>(elements);
        Collections.shuffle(copy, new Random(seed));
        return copy;
    }

    /**
     * Posts that differ in one part of their position only, oldest first: time, then id by bytes, then author by bytes.
     * The ids sort differently by number, by length and without regard to case.
     */
    public static List<Post> ties() {
        return List.of(
                Post.of("bob", "9", EPOCH - 1),
                Post.of("bob", "007", EPOCH),
                Post.of("bob", "10", EPOCH),
                Post.of("bob", "7", EPOCH),
                Post.of("bob", "0", EPOCH + 1),
                Post.of("Amy", "B", EPOCH + 2),
                Post.of("amy", "B", EPOCH + 2),
                Post.of("bob", "B", EPOCH + 2),
                Post.of("amy", "a", EPOCH + 2),
                Post.of("amy", "aa", EPOCH + 2),
                Post.of("amy", "~", EPOCH + 2),
                Post.of("bob", "!", EPOCH + 3));
    }
}
