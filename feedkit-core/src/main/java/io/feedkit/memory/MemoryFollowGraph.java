package io.feedkit.memory;

import io.feedkit.FollowCounts;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The follow graph, by user. A change of an edge takes the locks of both its ends; the lock of the lower id is taken
 * first.
 */
final class MemoryFollowGraph implements WritableFollowGraph {

    private static final IdPage NOBODY = new IdPage(List.of(), false);

    private final ConcurrentHashMap<String, UserEdges> users = new ConcurrentHashMap<>();

    @Override
    public List<Boolean> add(List<Edge> edges) {
        List<Boolean> answers = new ArrayList<>(edges.size());
        for (Edge edge : edges) {
            answers.add(add(edge.reader(), edge.author()));
        }
        return Collections.unmodifiableList(answers);
    }

    private boolean add(String readerId, String authorId) {
        while (true) {
            UserEdges reader = users.computeIfAbsent(readerId, UserEdges::new);
            UserEdges author = users.computeIfAbsent(authorId, UserEdges::new);
            boolean readerFirst = readerId.compareTo(authorId) < 0;
            synchronized (readerFirst ? reader : author) {
                synchronized (readerFirst ? author : reader) {
                    if (!reader.isRetired() && !author.isRetired()) {
                        return reader.follow(author);
                    }
                }
            }
        }
    }

    @Override
    public List<Boolean> remove(List<Edge> edges) {
        List<Boolean> answers = new ArrayList<>(edges.size());
        for (Edge edge : edges) {
            answers.add(remove(edge.reader(), edge.author()));
        }
        return Collections.unmodifiableList(answers);
    }

    private boolean remove(String readerId, String authorId) {
        UserEdges reader = users.get(readerId);
        UserEdges author = users.get(authorId);
        if (reader == null || author == null) {
            return false;
        }
        boolean readerFirst = readerId.compareTo(authorId) < 0;
        synchronized (readerFirst ? reader : author) {
            synchronized (readerFirst ? author : reader) {
                boolean removed = reader.unfollow(author);
                retireIfEmpty(readerId, reader);
                retireIfEmpty(authorId, author);
                return removed;
            }
        }
    }

    @Override
    public List<Redirection> redirect(List<Edge> edges, String author) {
        List<Redirection> answers = new ArrayList<>(edges.size());
        for (Edge edge : edges) {
            answers.add(redirect(edge, author));
        }
        return Collections.unmodifiableList(answers);
    }

    private Redirection redirect(Edge edge, String authorId) {
        while (true) {
            UserEdges reader = users.get(edge.reader());
            UserEdges from = users.get(edge.author());
            if (reader == null || from == null) {
                return Redirection.ABSENT;
            }
            UserEdges to = users.computeIfAbsent(authorId, UserEdges::new);
            List<UserEdges> inOrder = Stream.of(reader, from, to)
                    .sorted(Comparator.comparing(UserEdges::id))
                    .toList();
            synchronized (inOrder.get(0)) {
                synchronized (inOrder.get(1)) {
                    synchronized (inOrder.get(2)) {
                        if (!reader.isRetired() && !from.isRetired() && !to.isRetired()) {
                            return redirect(reader, from, to);
                        }
                    }
                }
            }
        }
    }

    /** The caller holds all locks. */
    private Redirection redirect(UserEdges reader, UserEdges from, UserEdges to) {
        Redirection answer = Redirection.ABSENT;
        if (reader.unfollow(from)) {
            answer = reader.follow(to) ? Redirection.MOVED : Redirection.MERGED;
        }
        for (UserEdges each : List.of(reader, from, to)) {
            retireIfEmpty(each.id(), each);
        }
        return answer;
    }

    private void retireIfEmpty(String id, UserEdges user) {
        if (user.retireIfEmpty()) {
            users.remove(id, user);
        }
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        List<IdPage> pages = new ArrayList<>(queries.size());
        for (FollowerQuery query : queries) {
            UserEdges author = users.get(query.author());
            pages.add(author == null ? NOBODY : author.followers(query.range(), query.after(), query.limit()));
        }
        return Collections.unmodifiableList(pages);
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        UserEdges edges = users.get(reader);
        return edges == null ? NOBODY : edges.followees(after, limit);
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        UserEdges edges = users.get(reader);
        return edges == null ? Set.of() : Collections.unmodifiableSet(edges.followed(authors));
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        Map<String, FollowCounts> counts = new HashMap<>();
        for (String user : users) {
            UserEdges edges = this.users.get(user);
            if (edges != null) {
                counts.put(user, edges.counts());
            }
        }
        return Collections.unmodifiableMap(counts);
    }

    @Override
    public void forEachUser(Predicate<List<String>> visitor) {
        Listing.of(users.keySet(), visitor);
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        UserEdges edges = users.get(author);
        List<KeyRange> ranges = new ArrayList<>();
        String from = "";
        for (String cut : edges == null ? List.<String>of() : edges.cuts(parts)) {
            ranges.add(new KeyRange(from, cut));
            from = cut;
        }
        ranges.add(new KeyRange(from, KeyRange.END));
        return Collections.unmodifiableList(ranges);
    }
}
