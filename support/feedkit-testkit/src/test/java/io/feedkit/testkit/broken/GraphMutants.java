package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.graph;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.broken.Parts.AGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Graphs that lose followers, invent some, or miscount them. */
final class GraphMutants {

    static final List<Mutant> ALL = List.of(
            pages("ends a walk at a full page", "Followers.walks", page -> new IdPage(page.ids(), false)),
            pages("promises more after an empty page", "Followers.nobody", page -> new IdPage(page.ids(), true)),
            pages(
                    "orders ids without regard to case",
                    "Followers.awkwardIds",
                    page -> new IdPage(
                            page.ids().stream()
                                    .sorted(String.CASE_INSENSITIVE_ORDER)
                                    .toList(),
                            page.more())),
            queries(
                    "includes the upper bound of a range",
                    "Followers.ranges",
                    query -> new FollowerQuery(
                            query.author(),
                            new KeyRange(query.range().from(), query.range().below() + "!"),
                            query.after(),
                            query.limit())),
            queries(
                    "ignores the range",
                    "Followers.ranges",
                    query -> new FollowerQuery(query.author(), KeyRange.ALL, query.after(), query.limit())),
            queries(
                    "begins a page in the range wherever the cursor is",
                    "Followers.walks",
                    query -> new FollowerQuery(query.author(), query.range(), "", query.limit())),
            queries(
                    "gives one follower more than asked for",
                    "Followers.fullPages",
                    query -> new FollowerQuery(query.author(), query.range(), query.after(), query.limit() + 1)),
            graph("takes followers for followees", "Followees.direction", (graph, clock) -> new AGraph(graph) {
                @Override
                public IdPage followees(String reader, String after, int limit) {
                    return sound.followers(List.of(new FollowerQuery(reader, KeyRange.ALL, after, limit)))
                            .get(0);
                }
            }),
            graph("remembers whom a reader followed", "Followees.unfollowed", (graph, clock) -> new AGraph(graph) {
                private final Map<String, Set<String>> remembered = new ConcurrentHashMap<>();

                @Override
                public List<Boolean> add(List<Edge> edges) {
                    edges.forEach(edge -> remembered
                            .computeIfAbsent(edge.reader(), reader -> ConcurrentHashMap.newKeySet())
                            .add(edge.author()));
                    return sound.add(edges);
                }

                @Override
                public Set<String> followed(String reader, Collection<String> authors) {
                    Set<String> followed = new HashSet<>(authors);
                    followed.retainAll(remembered.getOrDefault(reader, Set.of()));
                    return followed;
                }
            }),
            splits(
                    "splits into ranges that overlap",
                    "Sizes.split",
                    ranges -> ranges.stream()
                            .map(range -> new KeyRange(
                                    range.from(),
                                    range.below().equals(KeyRange.END) ? range.below() : range.below() + "!"))
                            .toList()),
            splits(
                    "splits into ranges with a gap",
                    "Sizes.split",
                    ranges -> ranges.stream()
                            .map(range -> new KeyRange(range.from().isEmpty() ? "" : range.from() + "!", range.below()))
                            .toList()),
            splits("forgets the end when splitting", "Sizes.split", ranges -> {
                List<KeyRange> closed = new ArrayList<>(ranges);
                KeyRange last = closed.remove(closed.size() - 1);
                closed.add(new KeyRange(last.from(), "zzz"));
                return closed;
            }),
            splits(
                    "splits off next to nothing",
                    "Sizes.splitEvenly",
                    ranges -> List.of(new KeyRange("", "r00001"), new KeyRange("r00001", KeyRange.END))),
            graph("splits into more parts than asked for", "Sizes.split", (graph, clock) -> new AGraph(graph) {
                @Override
                public List<KeyRange> split(String author, int parts) {
                    return sound.split(author, parts + 1);
                }
            }),
            graph("lists only the first users", "Writing.listed", (graph, clock) -> new AGraph(graph) {
                @Override
                public void forEachUser(Predicate<List<String>> visitor) {
                    sound.forEachUser(users -> {
                        boolean unused = visitor.test(users);
                        return false;
                    });
                }
            }),
            graph(
                    "goes on after the visitor has ended the walk",
                    "Writing.listed",
                    (graph, clock) -> new AGraph(graph) {
                        @Override
                        public void forEachUser(Predicate<List<String>> visitor) {
                            sound.forEachUser(users -> {
                                boolean unused = visitor.test(users);
                                return true;
                            });
                        }
                    }),
            graph("calls every edge new", "Writing.add", (graph, clock) -> new AGraph(graph) {
                @Override
                public List<Boolean> add(List<Edge> edges) {
                    sound.add(edges);
                    return edges.stream().map(edge -> true).toList();
                }
            }),
            graph("counts an edge each time it is added", "Writing.add", (graph, clock) -> new Counting(graph) {
                @Override
                public List<Boolean> add(List<Edge> edges) {
                    List<Boolean> added = sound.add(edges);
                    edges.forEach(edge -> count(edge, 1));
                    return added;
                }
            }),
            graph("does not count a removal", "Writing.remove", (graph, clock) -> new Counting(graph) {
                @Override
                public List<Boolean> remove(List<Edge> edges) {
                    return sound.remove(edges);
                }
            }),
            graph(
                    "reads a count and writes it in two steps",
                    "Concurrency.differentEdges",
                    (graph, clock) -> new Counting(graph)),
            graph(
                    "checks for an edge and adds it in two steps",
                    "Concurrency.sameEdges",
                    (graph, clock) -> new AGraph(graph) {
                        private final Gap gap = new Gap();

                        @Override
                        public List<Boolean> add(List<Edge> edges) {
                            List<Boolean> absent = absent(edges);
                            if (absent.contains(true)) {
                                gap.awaitRival(() -> !absent(edges).equals(absent));
                            }
                            sound.add(edges);
                            return absent;
                        }

                        private List<Boolean> absent(List<Edge> edges) {
                            return edges.stream()
                                    .map(edge -> sound.followed(edge.reader(), List.of(edge.author()))
                                            .isEmpty())
                                    .toList();
                        }
                    }),
            graph("joins the ids of an edge with a colon", "Writing.awkwardIds", (graph, clock) -> new AGraph(graph) {
                private final Set<String> joined = ConcurrentHashMap.newKeySet();

                @Override
                public List<Boolean> add(List<Edge> edges) {
                    return edges.stream()
                            .map(edge -> joined.add(edge.reader() + ":" + edge.author())
                                    && sound.add(List.of(edge)).get(0))
                            .toList();
                }
            }));

    private GraphMutants() {}

    private static Mutant pages(String name, String caughtBy, UnaryOperator<IdPage> breaking) {
        return graph(name, caughtBy, (graph, clock) -> new AGraph(graph) {
            @Override
            public List<IdPage> followers(List<FollowerQuery> queries) {
                return sound.followers(queries).stream().map(breaking).toList();
            }
        });
    }

    private static Mutant queries(String name, String caughtBy, UnaryOperator<FollowerQuery> breaking) {
        return graph(name, caughtBy, (graph, clock) -> new AGraph(graph) {
            @Override
            public List<IdPage> followers(List<FollowerQuery> queries) {
                return sound.followers(queries.stream().map(breaking).toList());
            }
        });
    }

    private static Mutant splits(String name, String caughtBy, UnaryOperator<List<KeyRange>> breaking) {
        return graph(name, caughtBy, (graph, clock) -> new AGraph(graph) {
            @Override
            public List<KeyRange> split(String author, int parts) {
                return breaking.apply(sound.split(author, parts));
            }
        });
    }

    /** Keeps counts of its own, without care for other writers. */
    private static class Counting extends AGraph {
        private final Map<String, Long> followers = new ConcurrentHashMap<>();
        private final Map<String, Long> followees = new ConcurrentHashMap<>();
        private final Gap gap = new Gap();

        Counting(WritableFollowGraph sound) {
            super(sound);
        }

        final void count(Edge edge, long by) {
            long before = followers.getOrDefault(edge.author(), 0L);
            gap.awaitRival(() -> followers.getOrDefault(edge.author(), 0L) != before);
            followers.put(edge.author(), before + by);
            followees.merge(edge.reader(), by, Long::sum);
        }

        private List<Boolean> counted(List<Edge> edges, List<Boolean> changed, long by) {
            for (int i = 0; i < edges.size(); i++) {
                if (changed.get(i)) {
                    count(edges.get(i), by);
                }
            }
            return changed;
        }

        @Override
        public List<Boolean> add(List<Edge> edges) {
            return counted(edges, sound.add(edges), 1);
        }

        @Override
        public List<Boolean> remove(List<Edge> edges) {
            return counted(edges, sound.remove(edges), -1);
        }

        @Override
        public Map<String, FollowCounts> counts(Collection<String> users) {
            Map<String, FollowCounts> counts = new ConcurrentHashMap<>();
            users.forEach(user -> counts.put(
                    user, new FollowCounts(followers.getOrDefault(user, 0L), followees.getOrDefault(user, 0L))));
            return counts;
        }
    }
}
