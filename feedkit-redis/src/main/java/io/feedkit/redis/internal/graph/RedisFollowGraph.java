package io.feedkit.redis.internal.graph;

import io.feedkit.FollowCounts;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.graph.EdgeWrite.DesiredState;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The follow graph in Redis. Each user has two sorted sets, whose members all have the same score, so both are in the
 * order of the ids.
 */
public final class RedisFollowGraph implements WritableFollowGraph {

    /** How many members one command looks up. */
    private static final int LOOKED_UP = 1000;

    private final RedisLink link;
    private final GraphKeys keys;
    private final EdgeWriter writer;

    /** The graph of an application on a server. */
    public RedisFollowGraph(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = new GraphKeys(keys);
        writer = new EdgeWriter(new EdgeSteps(link, keys, clock));
    }

    /** The key that exists while an author has followers. */
    public static byte[] followers(Keys keys, String author) {
        return new GraphKeys(keys).followers(author);
    }

    @Override
    public List<Boolean> add(List<Edge> edges) {
        return writer.write("graph.add", edges, DesiredState.PRESENT);
    }

    @Override
    public List<Boolean> remove(List<Edge> edges) {
        return writer.write("graph.remove", edges, DesiredState.ABSENT);
    }

    @Override
    public List<Redirection> redirect(List<Edge> edges, String author) {
        return writer.redirect("graph.redirect", edges, author);
    }

    @Override
    public void settle(List<Edge> edges) {
        writer.write("graph.settle", edges, DesiredState.AS_IT_IS);
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return pages(
                "graph.followers",
                queries.stream()
                        .map(query -> new IdPageReader(
                                keys.followers(query.author()), query.range(), query.after(), query.limit()))
                        .toList());
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        IdPageReader page = new IdPageReader(keys.followees(reader), KeyRange.ALL, after, limit);
        return pages("graph.followees", List.of(page)).get(0);
    }

    @Override
    public List<IdPage> followees(List<String> readers, int limit) {
        return pages(
                "graph.followees",
                readers.stream()
                        .map(reader -> new IdPageReader(keys.followees(reader), KeyRange.ALL, "", limit))
                        .toList());
    }

    private List<IdPage> pages(String operation, List<IdPageReader> readers) {
        List<IdPageReader> open = readers;
        while (!open.isEmpty()) {
            List<List<byte[]>> found = link.runAll(
                    operation,
                    Effect.READ,
                    open.stream().map(IdPageReader::next).toList());
            List<IdPageReader> unfinished = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                if (open.get(i).add(found.get(i))) {
                    unfinished.add(open.get(i));
                }
            }
            open = unfinished;
        }
        return readers.stream().map(IdPageReader::page).toList();
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        List<String> asked = authors.stream().distinct().toList();
        List<Call<List<Object>>> calls = new ArrayList<>();
        for (int from = 0; from < asked.size(); from += LOOKED_UP) {
            byte[][] members = asked.subList(from, Math.min(from + LOOKED_UP, asked.size())).stream()
                    .map(Arguments::text)
                    .toArray(byte[][]::new);
            calls.add(Call.of(CommandType.ZMSCORE, ArrayOutput::new, keys.followees(reader), members));
        }
        Set<String> found = new HashSet<>();
        int next = 0;
        for (List<Object> scores : link.runAll("graph.followed", Effect.READ, calls)) {
            for (Object score : scores) {
                if (score != null) {
                    found.add(asked.get(next));
                }
                next++;
            }
        }
        return Collections.unmodifiableSet(found);
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        List<String> asked = users.stream().distinct().toList();
        List<Call<Long>> calls = new ArrayList<>(asked.size() * 2);
        for (String user : asked) {
            calls.add(size(keys.followers(user)));
            calls.add(size(keys.followees(user)));
        }
        List<Long> sizes = link.runAll("graph.counts", Effect.READ, calls);
        Map<String, FollowCounts> counts = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            counts.put(asked.get(i), new FollowCounts(sizes.get(2 * i), sizes.get(2 * i + 1)));
        }
        return Collections.unmodifiableMap(counts);
    }

    @Override
    public void forEachUser(Predicate<List<String>> visitor) {
        keys.scan(link).each("graph.forEachUser", GraphKeys.SIDES, visitor);
    }

    @Override
    public Set<Edge> oneSided(Collection<Edge> edges) {
        List<Edge> asked = List.copyOf(edges);
        List<Call<List<Object>>> calls = new ArrayList<>(2 * asked.size());
        for (Edge edge : asked) {
            calls.add(score(keys.followees(edge.reader()), edge.author()));
            calls.add(score(keys.followers(edge.author()), edge.reader()));
        }
        List<List<Object>> scores = link.runAll("graph.oneSided", Effect.READ, calls);
        Set<Edge> oneSided = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            boolean forReader = scores.get(2 * i).get(0) != null;
            boolean forAuthor = scores.get(2 * i + 1).get(0) != null;
            if (forReader != forAuthor) {
                oneSided.add(asked.get(i));
            }
        }
        return oneSided;
    }

    private static Call<List<Object>> score(byte[] key, String member) {
        return Call.of(CommandType.ZMSCORE, ArrayOutput::new, key, Arguments.text(member));
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        byte[] followers = keys.followers(author);
        long count = link.run("graph.split", Effect.READ, size(followers));
        List<Call<List<byte[]>>> calls = new ArrayList<>();
        long cut = 0;
        for (int part = 1; part < parts; part++) {
            long next = count * part / parts;
            if (next > cut) {
                cut = next;
                calls.add(at(followers, cut));
            }
        }
        // Followers may change between the two reads: two ranks may have the same follower, and a rank may have none.
        Set<String> cuts = new TreeSet<>();
        link.runAll("graph.split", Effect.READ, calls)
                .forEach(found -> found.forEach(bytes -> cuts.add(new String(bytes, StandardCharsets.US_ASCII))));
        List<KeyRange> ranges = new ArrayList<>();
        String from = KeyRange.ALL.from();
        for (String below : cuts) {
            ranges.add(new KeyRange(from, below));
            from = below;
        }
        ranges.add(new KeyRange(from, KeyRange.END));
        return Collections.unmodifiableList(ranges);
    }

    private static Call<Long> size(byte[] key) {
        return Call.of(CommandType.ZCARD, IntegerOutput::new, key);
    }

    private static Call<List<byte[]>> at(byte[] key, long rank) {
        byte[] place = Arguments.text(Long.toString(rank));
        return Call.of(CommandType.ZRANGE, ValueListOutput::new, key, place, place);
    }
}
