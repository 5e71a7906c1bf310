package io.feedkit.bench.scale.outage;

import io.feedkit.Post;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Every post, delete and follow with the times of its request and its acknowledgement. Thread-safe. */
final class History {

    /** A post, its publish and its delete. */
    record Entry(Post post, Transition published, Transition deleted) {}

    /**
     * A page that was read.
     *
     * @param reader whose feed
     * @param posts the posts on the page
     * @param below the post that the page had to be below, if it is not a first page
     * @param last whether the page says that nothing is below it
     * @param from when the read began
     * @param to when it ended
     * @param settled pushed posts acknowledged before this time must be on the page
     */
    record ShownPage(
            String reader, List<Post> posts, Optional<Post> below, boolean last, long from, long to, long settled) {

        /** The text for a message. */
        String text() {
            return reader + "'s page of " + posts.size() + " posts, read from " + from + " to " + to
                    + ", when posts acknowledged before " + settled + " had to be on it; it is below " + below
                    + " and ends with " + (posts.isEmpty() ? "nothing" : posts.get(posts.size() - 1));
        }
    }

    private final Map<String, Queue<Entry>> posts = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Edge>> edges = new ConcurrentHashMap<>();

    Entry post(Post post) {
        Entry entry = new Entry(post, new Transition(), new Transition());
        entry.published().ask();
        posts.computeIfAbsent(post.author(), author -> new ConcurrentLinkedQueue<>())
                .add(entry);
        return entry;
    }

    Edge edge(String reader, String author) {
        return edges.computeIfAbsent(reader, same -> new ConcurrentHashMap<>())
                .computeIfAbsent(author, same -> new Edge(false));
    }

    void follows(String reader, Collection<String> authors) {
        Map<String, Edge> all = edges.computeIfAbsent(reader, same -> new ConcurrentHashMap<>());
        authors.forEach(author -> all.put(author, new Edge(true)));
    }

    /** Returns what is wrong with a page, if anything. */
    Optional<String> wrong(ShownPage page) {
        Set<Post> may = new HashSet<>();
        List<Post> must = new ArrayList<>();
        edges.getOrDefault(page.reader(), Map.of()).forEach((author, edge) -> {
            if (edge.mayShow(page.from(), page.to())) {
                boolean follows = edge.mustShow(page.from(), page.to());
                long before = author.startsWith(OutageLoad.PULLED) ? page.from() : page.settled();
                entries(author).forEach(entry -> {
                    if (mayShow(entry, page)) {
                        may.add(entry.post());
                    }
                    if (follows && mustShow(entry, page, before)) {
                        must.add(entry.post());
                    }
                });
            }
        });
        return wrong(page, may, must);
    }

    private Stream<Entry> entries(String author) {
        return posts.getOrDefault(author, new ConcurrentLinkedQueue<>()).stream();
    }

    private static boolean mayShow(Entry entry, ShownPage page) {
        return entry.published().mayHaveBegun(page.to()) && !entry.deleted().isOver(page.from());
    }

    private static boolean mustShow(Entry entry, ShownPage page, long before) {
        return entry.published().isOver(before) && !entry.deleted().mayHaveBegun(page.to());
    }

    private static Optional<String> wrong(ShownPage page, Set<Post> may, List<Post> must) {
        Optional<Post> before = page.below();
        for (Post post : page.posts()) {
            if (!may.contains(post)) {
                return Optional.of("it shows " + post);
            }
            if (before.isPresent() && OracleFeed.NEWEST_FIRST.compare(before.get(), post) >= 0) {
                return Optional.of("it shows " + post + " after " + before.get());
            }
            before = Optional.of(post);
        }
        Set<Post> shown = new HashSet<>(page.posts());
        Optional<Post> end = page.last() ? Optional.empty() : before;
        return must.stream()
                .filter(post -> !shown.contains(post))
                .filter(post -> page.below()
                        .filter(bound -> OracleFeed.NEWEST_FIRST.compare(bound, post) >= 0)
                        .isEmpty())
                .filter(post -> end.filter(bound -> OracleFeed.NEWEST_FIRST.compare(bound, post) <= 0)
                        .isEmpty())
                .findAny()
                .map(entry -> "it lacks " + entry);
    }

    /** The feeds as they must be when no operation is under way. */
    OracleFeed oracle() {
        OracleFeed oracle = new OracleFeed(false);
        posts.values()
                .forEach(queue -> queue.forEach(entry -> {
                    oracle.publish(entry.post());
                    if (entry.deleted().isOver(Long.MAX_VALUE)) {
                        oracle.delete(entry.post().key());
                    }
                }));
        edges.forEach((reader, all) -> all.forEach((author, edge) -> {
            if (edge.follows()) {
                oracle.follow(reader, author);
            }
        }));
        return oracle;
    }
}
