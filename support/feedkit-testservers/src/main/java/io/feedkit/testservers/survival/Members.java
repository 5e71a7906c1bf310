package io.feedkit.testservers.survival;

import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The readers and authors: all readers follow the star, and a quarter of the readers follows each of four other
 * authors. All readers have live inboxes. Immutable.
 */
public final class Members {

    /** The author whom all readers follow. */
    public static final String STAR = "star";

    private static final List<String> OTHERS = List.of("ann", "bob", "cid", "dot");

    private final List<String> readers;
    private final List<Edge> edges;

    private Members(int readers) {
        this.readers = IntStream.range(0, readers).mapToObj(Members::reader).toList();
        this.edges = IntStream.range(0, readers)
                .boxed()
                .flatMap(i -> List.of(STAR, OTHERS.get(i % OTHERS.size())).stream()
                        .map(author -> new Edge(this.readers.get(i), author)))
                .toList();
    }

    /**
     * Writes the follow graph of a number of readers, and reads once for each, so that their inboxes are live.
     *
     * @param readers how many readers
     * @param node the node that writes and reads; its graph is a {@link WritableFollowGraph}
     * @return the members
     */
    public static Members join(int readers, Node node) {
        Members members = new Members(readers);
        ((WritableFollowGraph) node.store().graph()).add(members.edges);
        members.readers.forEach(reader -> node.engine().read(reader, Walks.first()));
        return members;
    }

    /**
     * Returns members whose follow graph was already written.
     *
     * @param readers how many readers there are
     * @return the members
     */
    public static Members joined(int readers) {
        return new Members(readers);
    }

    /**
     * The name of a reader.
     *
     * @param n the reader's number
     * @return the user id
     */
    public static String reader(int n) {
        return "reader-%03d".formatted(n);
    }

    /**
     * All readers.
     *
     * @return their user ids
     */
    public List<String> readers() {
        return readers;
    }

    /**
     * All authors.
     *
     * @return their user ids, the star's first
     */
    public List<String> authors() {
        return IntStream.rangeClosed(0, OTHERS.size())
                .mapToObj(i -> i == 0 ? STAR : OTHERS.get(i - 1))
                .toList();
    }

    /**
     * A random author, every third time the star.
     *
     * @param random the source of random numbers
     * @return the user id
     */
    public String anAuthor(RandomGenerator random) {
        return random.nextInt(3) == 0 ? STAR : OTHERS.get(random.nextInt(OTHERS.size()));
    }

    /** Adds all edges to an oracle. */
    void addEdgesTo(OracleFeed oracle) {
        edges.forEach(edge -> oracle.follow(edge.reader(), edge.author()));
    }
}
