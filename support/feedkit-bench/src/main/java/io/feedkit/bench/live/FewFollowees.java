package io.feedkit.bench.live;

import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Readers who follow a few authors each, so that each author has the same number of followers.
 *
 * @param readers the number of readers
 */
record FewFollowees(int readers) {

    /** The followers of each author. */
    static final int FOLLOWERS = 40;

    private static final int FOLLOWEES = 4;

    int authors() {
        return readers * FOLLOWEES / FOLLOWERS;
    }

    static String author(int number) {
        return String.format("author-%06d", number);
    }

    static String reader(int number) {
        return String.format("reader-%06d", number);
    }

    /** The numbers of an author's followers. */
    IntStream followers(int author) {
        return IntStream.range(0, readers).filter(reader -> Math.floorMod(author - reader, authors()) < FOLLOWEES);
    }

    List<Edge> edges(int author) {
        return followers(author)
                .mapToObj(reader -> new Edge(reader(reader), author(author)))
                .toList();
    }
}
