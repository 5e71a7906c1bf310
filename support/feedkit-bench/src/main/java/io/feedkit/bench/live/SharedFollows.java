package io.feedkit.bench.live;

import io.feedkit.FollowCounts;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A follow graph that stores no edges. Every reader follows the same number of authors: one whom all readers follow,
 * and others whom some readers share. Ids are generated on request, so each answer has new ones. Thread-safe.
 */
final class SharedFollows implements FollowGraph {

    /** The author whom all readers follow. */
    static final String EVERYBODYS = "everybody";

    private static final int READERS_PER_AUTHOR = 5;
    private static final String AUTHOR = "author-";

    private final int readers;
    private final int followees;
    private final int authors;

    /**
     * @param readers the number of readers: {@link #reader(int)} of 0 and above
     * @param followees how many authors each follows
     */
    SharedFollows(int readers, int followees) {
        this.readers = readers;
        this.followees = followees;
        this.authors = Math.max(followees, readers / READERS_PER_AUTHOR);
    }

    static String reader(int number) {
        return MadeUpGraph.user(number);
    }

    /** The authors of a reader, in the order of their ids. */
    Stream<String> followees(int reader) {
        int apart = authors / followees;
        IntStream numbers = IntStream.range(0, followees - 1)
                .map(i -> (int) (((long) reader + (long) i * apart) % authors))
                .sorted();
        return Stream.concat(numbers.mapToObj(i -> String.format("%s%08d", AUTHOR, i)), Stream.of(EVERYBODYS));
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        List<String> ids = followees(number(reader))
                .filter(id -> id.compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        boolean more = ids.size() > limit;
        return new IdPage(more ? ids.subList(0, limit) : ids, more);
    }

    private static int number(String reader) {
        return Integer.parseInt(reader.substring(1));
    }

    /** Only {@link #EVERYBODYS} publishes, so only that author's followers are asked for. */
    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return queries.stream().map(this::page).toList();
    }

    private IdPage page(FollowerQuery query) {
        KeyRange range = query.range();
        int from = query.after().isEmpty() ? 0 : number(query.after()) + 1;
        List<String> ids = IntStream.range(query.author().equals(EVERYBODYS) ? from : readers, readers)
                .mapToObj(SharedFollows::reader)
                .filter(range::contains)
                .limit(query.limit())
                .toList();
        return new IdPage(ids, ids.size() == query.limit());
    }

    @Override
    public Set<String> followed(String reader, Collection<String> asked) {
        Set<String> all = followees(number(reader)).collect(Collectors.toSet());
        return asked.stream().filter(all::contains).collect(Collectors.toSet());
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        return users.stream()
                .distinct()
                .collect(Collectors.toMap(
                        Function.identity(), user -> new FollowCounts(user.equals(EVERYBODYS) ? readers : 0, 0)));
    }
}
