package io.feedkit.testkit.internal.graph;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * Converts names of users to ids in the same order: to numbers of 19 digits, or to ids made from them. So the rules
 * also run on a graph that cannot hold all ids. A number encodes the first {@value #PREFIX} characters of a name, and
 * the place among the names that begin with them.
 */
public final class ConvertedIds {

    private static final int PREFIX = 6;
    private static final long CHARACTERS = '~' - '!' + 2;
    private static final long PLACES = 1_000_000;
    private static final long LEAST = 1_000_000_000_000_000_000L;

    /** No conversion. */
    public static final ConvertedIds NONE = new ConvertedIds(Optional.empty());

    private final Optional<LongFunction<String>> form;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, TreeMap<String, Long>> places = new HashMap<>();

    private ConvertedIds(Optional<LongFunction<String>> form) {
        this.form = form;
    }

    /** The number is the id. */
    public static ConvertedIds numbers() {
        return new ConvertedIds(Optional.of(Long::toString));
    }

    /** A UUID that begins with the number. */
    public static ConvertedIds uuids() {
        return new ConvertedIds(Optional.of(number -> {
            String hex = String.format("%016x", number);
            return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + hex.substring(12) + "-8000-000000000000";
        }));
    }

    private String id(String name) {
        if (form.isEmpty() || name.isEmpty() || name.equals(KeyRange.END)) {
            return name;
        }
        return ids.computeIfAbsent(name, unknown -> {
            String id = form.get().apply(number(unknown));
            names.put(id, unknown);
            return id;
        });
    }

    private String name(String id) {
        return names.getOrDefault(id, id);
    }

    /** An edge between ids. */
    public Edge edge(Edge edge) {
        return new Edge(id(edge.reader()), id(edge.author()));
    }

    private long number(String name) {
        String prefix = name.substring(0, Math.min(name.length(), PREFIX));
        long number = 0;
        for (int i = 0; i < PREFIX; i++) {
            number = number * CHARACTERS + (i < prefix.length() ? prefix.charAt(i) - '!' + 1 : 0);
        }
        return LEAST + number * PLACES + place(prefix, name);
    }

    private long place(String prefix, String name) {
        if (name.length() <= PREFIX) {
            return 0;
        }
        TreeMap<String, Long> others = places.computeIfAbsent(prefix, unknown -> new TreeMap<>());
        Map.Entry<String, Long> lower = others.lowerEntry(name);
        Map.Entry<String, Long> higher = others.higherEntry(name);
        long place = ((lower == null ? 0 : lower.getValue()) + (higher == null ? PLACES : higher.getValue())) / 2;
        others.put(name, place);
        return place;
    }

    /** A graph whose users have names, on top of a graph whose users have ids. */
    public FollowGraph named(FollowGraph graph) {
        return form.isEmpty() ? graph : new Named(graph);
    }

    private final class Named implements FollowGraph {

        private final FollowGraph graph;

        Named(FollowGraph graph) {
            this.graph = graph;
        }

        @Override
        public List<IdPage> followers(List<FollowerQuery> queries) {
            List<FollowerQuery> asked = queries.stream()
                    .map(query -> new FollowerQuery(
                            id(query.author()), range(query.range()), id(query.after()), query.limit()))
                    .toList();
            return graph.followers(asked).stream().map(this::page).toList();
        }

        @Override
        public IdPage followees(String reader, String after, int limit) {
            return page(graph.followees(id(reader), id(after), limit));
        }

        @Override
        public List<IdPage> followees(List<String> readers, int limit) {
            return graph.followees(each(readers), limit).stream()
                    .map(this::page)
                    .toList();
        }

        @Override
        public Set<String> followed(String reader, Collection<String> authors) {
            return graph.followed(id(reader), each(authors)).stream()
                    .map(ConvertedIds.this::name)
                    .collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public Map<String, FollowCounts> counts(Collection<String> users) {
            return graph.counts(each(users)).entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(count -> name(count.getKey()), Map.Entry::getValue));
        }

        /** The bounds stay ids: no user has them as a name, and they are in the right order. */
        @Override
        public List<KeyRange> split(String author, int parts) {
            return graph.split(id(author), parts).stream()
                    .map(range -> new KeyRange(name(range.from()), name(range.below())))
                    .toList();
        }

        private KeyRange range(KeyRange range) {
            return new KeyRange(id(range.from()), id(range.below()));
        }

        private List<String> each(Collection<String> names) {
            return names.stream().map(ConvertedIds.this::id).toList();
        }

        private IdPage page(IdPage page) {
            return new IdPage(page.ids().stream().map(ConvertedIds.this::name).toList(), page.more());
        }
    }
}
