package io.feedkit.testkit.model;

import io.feedkit.FollowCounts;
import io.feedkit.internal.check.Arguments;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A follow graph that stores readers' followees and authors' followers separately, like a store that spreads users over
 * servers. A write can be interrupted between the two sides. The reader's side is the source of truth. One thread at a
 * time.
 *
 * @since 0.1.0
 */
public final class TwoSidedGraph implements WritableFollowGraph {

    /** The calls that write both sides. */
    static final Set<String> WRITES = Set.of("graph.add", "graph.remove", "graph.redirect");

    private final WritableFollowGraph readers;
    private final WritableFollowGraph authors;
    private boolean cut;

    /**
     * Creates a graph from two graphs.
     *
     * @param readers an empty graph for the readers' sides
     * @param authors another empty graph for the authors' sides
     */
    public TwoSidedGraph(WritableFollowGraph readers, WritableFollowGraph authors) {
        Arguments.nonNull("authors", authors);
        Arguments.nonNull("readers", readers);
        this.readers = readers;
        this.authors = authors;
    }

    /**
     * Creates a graph in memory.
     *
     * @return an empty graph
     */
    public static TwoSidedGraph inMemory() {
        return new TwoSidedGraph(
                InMemoryFeedStore.create().graph(), InMemoryFeedStore.create().graph());
    }

    /** Ends the next write after the readers' sides are written. The caller must make sure that its answer is lost. */
    void cutNextWrite() {
        cut = true;
    }

    private boolean takeCut() {
        boolean taken = cut;
        cut = false;
        return taken;
    }

    @Override
    public List<Boolean> add(List<Edge> edges) {
        List<Boolean> added = readers.add(edges);
        if (!takeCut()) {
            authors.add(edges);
        }
        return added;
    }

    @Override
    public List<Boolean> remove(List<Edge> edges) {
        List<Boolean> removed = readers.remove(edges);
        if (!takeCut()) {
            authors.remove(edges);
        }
        return removed;
    }

    @Override
    public List<Redirection> redirect(List<Edge> edges, String author) {
        List<Edge> both = new ArrayList<>(
                edges.stream().map(edge -> new Edge(edge.reader(), author)).toList());
        authors.add(both);
        List<Redirection> answers = readers.redirect(edges, author);
        if (!takeCut()) {
            both.addAll(edges);
            settle(both);
        }
        return answers;
    }

    @Override
    public void settle(List<Edge> edges) {
        List<Edge> there = new ArrayList<>();
        List<Edge> gone = new ArrayList<>();
        for (Edge edge : edges) {
            (readers.followed(edge.reader(), List.of(edge.author())).isEmpty() ? gone : there).add(edge);
        }
        authors.add(there);
        authors.remove(gone);
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return authors.followers(queries);
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        return readers.followees(reader, after, limit);
    }

    @Override
    public Set<String> followed(String reader, Collection<String> among) {
        return readers.followed(reader, among);
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        Map<String, FollowCounts> followees = readers.counts(users);
        Map<String, FollowCounts> followers = authors.counts(users);
        Map<String, FollowCounts> counts = new HashMap<>();
        FollowCounts none = new FollowCounts(0, 0);
        for (String user : users) {
            counts.put(
                    user,
                    new FollowCounts(
                            followers.getOrDefault(user, none).followers(),
                            followees.getOrDefault(user, none).followees()));
        }
        return counts;
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        return authors.split(author, parts);
    }

    /** The reader's edges to given authors whose two sides differ. */
    List<Edge> disagreements(String reader, List<String> to) {
        List<Edge> wrong = new ArrayList<>();
        for (String author : to) {
            boolean follows = !readers.followed(reader, List.of(author)).isEmpty();
            if (follows == authors.followed(reader, List.of(author)).isEmpty()) {
                wrong.add(new Edge(reader, author));
            }
        }
        return wrong;
    }

    /** The given graph, if it is a graph with two sides. */
    static Optional<TwoSidedGraph> of(FollowGraph graph) {
        return graph instanceof TwoSidedGraph sides ? Optional.of(sides) : Optional.empty();
    }
}
