package io.feedkit.jdbc.survival;

import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Who follows whom: all readers follow the star, and a quarter of them each of four others. All of them are reading. */
final class Members {

    static final String STAR = "star";

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

    /** Writes the follow graph of so many readers, and lets each read once, so that their inboxes are live. */
    static Members join(int readers, Node node) {
        Members members = new Members(readers);
        node.store().graph().add(members.edges);
        members.readers.forEach(reader -> node.engine().read(reader, Walks.first()));
        return members;
    }

    /** The name of a reader, by number. */
    static String reader(int n) {
        return "reader-%03d".formatted(n);
    }

    List<String> readers() {
        return readers;
    }

    /** One of the authors, every third time the star. */
    String anAuthor(RandomGenerator random) {
        return random.nextInt(3) == 0 ? STAR : OTHERS.get(random.nextInt(OTHERS.size()));
    }

    /** Tells an oracle of all edges. */
    void tell(OracleFeed oracle) {
        edges.forEach(edge -> oracle.follow(edge.reader(), edge.author()));
    }
}
