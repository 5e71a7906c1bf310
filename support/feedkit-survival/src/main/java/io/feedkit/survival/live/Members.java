package io.feedkit.survival.live;

import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The readers and authors: all readers follow the star, and each follows three of sixteen other authors throughout.
 * Four more authors are followed and unfollowed during the run. Immutable.
 */
final class Members {

    /** About which part of all posts belongs to a feed, in percent. */
    static final int SHARE = 35;

    private static final String STAR = "star";
    private static final int STABLE = 16;
    private static final int FOLLOWED = 3;
    private static final int CHANGING = 4;
    private static final int TEN = 10;

    private final List<String> readers;
    private final List<Edge> edges = new ArrayList<>();

    Members(int count, Random random) {
        readers = IntStream.range(0, count).mapToObj("reader-%05d"::formatted).toList();
        for (String reader : readers) {
            edges.add(new Edge(reader, STAR));
            int first = random.nextInt(STABLE);
            for (int i = 0; i < FOLLOWED; i++) {
                edges.add(new Edge(reader, "author-" + (first + i * (1 + first % 2)) % STABLE));
            }
        }
    }

    List<String> readers() {
        return readers;
    }

    List<Edge> edges() {
        return List.copyOf(edges);
    }

    /** An author of the next post. */
    String anAuthor(Random random) {
        int tenth = random.nextInt(TEN);
        return tenth == 0 ? STAR : tenth <= 2 ? aChangingAuthor(random) : "author-" + random.nextInt(STABLE);
    }

    /** An author who is followed and unfollowed. */
    String aChangingAuthor(Random random) {
        return "changing-" + random.nextInt(CHANGING);
    }
}
