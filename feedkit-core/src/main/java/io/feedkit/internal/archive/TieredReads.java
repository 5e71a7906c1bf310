package io.feedkit.internal.archive;

import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads of an outbox and its archive, as if they were one.
 *
 * <p>The outbox is always read before the archive. A row that moves in between is then found twice and not missed. A
 * post of the archive counts only if the outbox has no row of its key: such a row is the same post, a newer post of the
 * key, or a tombstone. If the outbox alone answers a request down to the boundary, the archive is not asked.
 * Thread-safe.
 */
final class TieredReads {

    private static final Comparator<Post> OLDEST_FIRST = Position::compare;
    private static final Comparator<Post> NEWEST_FIRST = OLDEST_FIRST.reversed();

    /** How many posts are read with one call at most, if many archived posts are deleted. */
    private static final int LISTED_AT_ONCE = 1000;

    private final Outbox outbox;
    private final ArchiveSource source;
    private final PostArchive archive;
    private final ArchiveBoundary boundary;

    TieredReads(Outbox outbox, ArchiveSource source, PostArchive archive, ArchiveBoundary boundary) {
        this.outbox = outbox;
        this.source = source;
        this.archive = archive;
        this.boundary = boundary;
    }

    List<Post> page(PageQuery query) {
        List<Post> warm = outbox.page(query);
        PositionRange cold = missing(query.range(), query.order(), query.limit(), warm, boundary.afterRead());
        return cold.isEmpty() || query.authors().isEmpty() ? warm : merged(query, warm, cold);
    }

    /** The part of a range in which the archive may have posts that belong to the first {@code limit}. */
    private static PositionRange missing(PositionRange range, Order order, int limit, List<Post> warm, long boundary) {
        Position below = Position.min(range.below(), atBoundary(boundary));
        if (warm.size() < limit) {
            return new PositionRange(range.from(), below);
        }
        Position last = Position.of(warm.get(warm.size() - 1));
        return order == Order.NEWEST_FIRST
                ? new PositionRange(Position.max(range.from(), last.next()), below)
                : new PositionRange(range.from(), Position.min(below, last));
    }

    private static Position atBoundary(long boundary) {
        return new Position(boundary, "", "");
    }

    private List<Post> merged(PageQuery query, List<Post> warm, PositionRange cold) {
        Comparator<Post> order = query.order() == Order.NEWEST_FIRST ? NEWEST_FIRST : OLDEST_FIRST;
        TreeSet<Post> page = new TreeSet<>(order);
        page.addAll(warm);
        PositionRange rest = cold;
        for (int size = query.limit(); !rest.isEmpty(); size = Math.max(size, Math.min(2 * size, LISTED_AT_ONCE))) {
            List<Post> found = archive.page(new PageQuery(query.authors(), rest, query.order(), size));
            page.addAll(withoutRows(found));
            while (page.size() > query.limit()) {
                page.pollLast();
            }
            if (found.size() < size) {
                break;
            }
            Post last = found.get(found.size() - 1);
            if (page.size() == query.limit() && order.compare(page.last(), last) <= 0) {
                break;
            }
            rest = query.order() == Order.NEWEST_FIRST
                    ? new PositionRange(rest.from(), Position.of(last))
                    : new PositionRange(Position.of(last).next(), rest.below());
        }
        return List.copyOf(page);
    }

    /** The posts of the archive that count. */
    private List<Post> withoutRows(List<Post> archived) {
        if (archived.isEmpty()) {
            return archived;
        }
        Set<PostKey> rows = source.known(keys(archived)).keySet();
        return archived.stream().filter(post -> !rows.contains(post.key())).toList();
    }

    private static List<PostKey> keys(Collection<Post> posts) {
        return posts.stream().map(Post::key).toList();
    }

    List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        List<List<Post>> warm = outbox.newest(authors, range, each);
        long known = boundary.afterRead();
        List<Integer> lacking = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            if (!missing(range, Order.NEWEST_FIRST, each, warm.get(i), known).isEmpty()) {
                lacking.add(i);
            }
        }
        return lacking.isEmpty() ? warm : completed(authors, range, each, warm, lacking, known);
    }

    private List<List<Post>> completed(
            List<String> authors,
            PositionRange range,
            int each,
            List<List<Post>> warm,
            List<Integer> places,
            long known) {
        PositionRange cold = new PositionRange(range.from(), Position.min(range.below(), atBoundary(known)));
        List<List<Post>> found =
                archive.newest(places.stream().map(authors::get).toList(), cold, each);
        Set<PostKey> counting = keys(
                        withoutRows(found.stream().flatMap(List::stream).toList()))
                .stream()
                .collect(toSet());
        List<List<Post>> answers = new ArrayList<>(warm);
        for (int i = 0; i < places.size(); i++) {
            int place = places.get(i);
            List<Post> archived = found.get(i);
            List<Post> kept = archived.stream()
                    .filter(post -> counting.contains(post.key()))
                    .toList();
            boolean incomplete = kept.size() < archived.size() && archived.size() == each;
            answers.set(
                    place,
                    incomplete
                            ? page(new PageQuery(Set.of(authors.get(place)), range, Order.NEWEST_FIRST, each))
                            : newest(warm.get(place), kept, each));
        }
        return Collections.unmodifiableList(answers);
    }

    private static List<Post> newest(List<Post> warm, List<Post> archived, int each) {
        TreeSet<Post> all = new TreeSet<>(NEWEST_FIRST);
        all.addAll(warm);
        all.addAll(archived);
        return all.stream().limit(each).toList();
    }

    Map<PostKey, Post> existing(Collection<PostKey> keys) {
        if (keys.isEmpty()) {
            return Map.of();
        }
        Map<PostKey, Optional<Post>> rows = source.known(keys);
        Map<PostKey, Post> existing = new HashMap<>();
        rows.forEach((key, post) -> post.ifPresent(found -> existing.put(key, found)));
        Set<PostKey> unknown = new HashSet<>(keys);
        unknown.removeAll(rows.keySet());
        if (!unknown.isEmpty() && boundary.afterRead() > 0) {
            existing.putAll(archive.existing(unknown));
        }
        return Collections.unmodifiableMap(existing);
    }

    List<Counted> count(List<CountQuery> queries) {
        List<Counted> warm = outbox.count(queries);
        Position cold = atBoundary(boundary.afterRead());
        List<Counted> answers = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            answers.add(count(queries.get(i), warm.get(i), cold));
        }
        return Collections.unmodifiableList(answers);
    }

    /** Counts below the boundary by reading: few counts go that far, and none goes further than its limit. */
    private Counted count(CountQuery query, Counted warm, Position cold) {
        boolean isCounted = warm.above() >= query.limit() || !reaches(query.counted(), cold);
        boolean isRead = query.above().equals(Position.LOWEST) || !reaches(query.read(), cold);
        return isCounted && isRead
                ? warm
                : new Counted(
                        isCounted ? warm.above() : page(query, query.counted()).size(),
                        isRead ? warm.posts() : page(query, query.read()));
    }

    private List<Post> page(CountQuery query, PositionRange range) {
        return page(new PageQuery(query.authors(), range, Order.NEWEST_FIRST, query.limit()));
    }

    private static boolean reaches(PositionRange range, Position cold) {
        return !new PositionRange(range.from(), Position.min(range.below(), cold)).isEmpty();
    }
}
