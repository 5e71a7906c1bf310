package io.feedkit.bench.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A follow graph that stores no edges: users are numbered, an author is followed by all users in an interval of
 * numbers, and ids are generated on request. Thread-safe.
 */
public final class MadeUpGraph implements FollowGraph {

    private static final int DIGITS = 8;

    private record Interval(int from, int below) {
        static final Interval EMPTY = new Interval(0, 0);

        boolean contains(int number) {
            return from <= number && number < below;
        }

        int size() {
            return below - from;
        }
    }

    private final Map<String, Interval> followers = new ConcurrentHashMap<>();

    /**
     * The id of a numbered user.
     *
     * @param number up to eight digits
     * @return the id; ids are ordered as the numbers are
     */
    public static String user(int number) {
        byte[] id = new byte[1 + DIGITS];
        id[0] = 'u';
        int rest = number;
        for (int i = DIGITS; i > 0; i--) {
            id[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return new String(id, ISO_8859_1);
    }

    /**
     * Makes an author followed by these users from now on, and by no others.
     *
     * @param author the author
     * @param from the first user's number
     * @param below the number after the last user's
     */
    public void follow(String author, int from, int below) {
        followers.put(author, new Interval(from, below));
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return queries.stream().map(this::page).toList();
    }

    private IdPage page(FollowerQuery query) {
        Interval all = followers.getOrDefault(query.author(), Interval.EMPTY);
        int from = Math.max(all.from(), number(query.range().from()));
        if (!query.after().isEmpty()) {
            from = Math.max(from, number(query.after()) + 1);
        }
        int below = Math.min(all.below(), number(query.range().below()));
        int end = (int) Math.min(below, (long) from + query.limit());
        List<String> ids = new ArrayList<>(Math.max(0, end - from));
        for (int i = from; i < end; i++) {
            ids.add(user(i));
        }
        return new IdPage(ids, !ids.isEmpty() && end < below);
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        TreeSet<String> authors = new TreeSet<>(followed(reader, followers.keySet()));
        List<String> ids =
                authors.tailSet(after, false).stream().limit(limit + 1L).toList();
        boolean more = ids.size() > limit;
        return new IdPage(more ? ids.subList(0, limit) : ids, more);
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        Set<String> found = new HashSet<>();
        if (reader.length() == 1 + DIGITS && reader.charAt(0) == 'u') {
            int number = number(reader);
            for (String author : authors) {
                if (followers.getOrDefault(author, Interval.EMPTY).contains(number)) {
                    found.add(author);
                }
            }
        }
        return found;
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        Map<String, FollowCounts> counts = new HashMap<>();
        for (String user : users) {
            counts.put(
                    user,
                    new FollowCounts(
                            followers.getOrDefault(user, Interval.EMPTY).size(), 0));
        }
        return counts;
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        Interval all = followers.getOrDefault(author, Interval.EMPTY);
        int count = Math.max(1, Math.min(parts, all.size()));
        List<KeyRange> ranges = new ArrayList<>(count);
        String from = "";
        for (int i = 1; i < count; i++) {
            String below = user((int) (all.from() + (long) all.size() * i / count));
            ranges.add(new KeyRange(from, below));
            from = below;
        }
        ranges.add(new KeyRange(from, KeyRange.END));
        return ranges;
    }

    /** The number of the first user at or above an id that this graph has made, or a bound of {@link KeyRange}. */
    private static int number(String id) {
        if (id.isEmpty()) {
            return 0;
        }
        return id.equals(KeyRange.END) ? Integer.MAX_VALUE : Integer.parseInt(id, 1, id.length(), 10);
    }
}
