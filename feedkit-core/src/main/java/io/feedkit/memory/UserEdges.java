package io.feedkit.memory;

import io.feedkit.FollowCounts;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One user's edges in both directions. Guarded by its own lock. */
final class UserEdges {

    /** The string of this user's id that the store shares, instead of the host's equal copies. */
    private final String id;

    private @Nullable SortedChunks<String> followers;
    private @Nullable SortedChunks<String> followees;
    private boolean retired;

    UserEdges(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    /** Whether this record was removed from the map, so that it must not be used any more. */
    boolean isRetired() {
        return retired;
    }

    boolean retireIfEmpty() {
        retired = followers == null && followees == null;
        return retired;
    }

    /** Makes this user follow another. The caller holds both locks. */
    boolean follow(UserEdges author) {
        SortedChunks<String> mine = followees == null ? new SortedChunks<>(Comparator.naturalOrder()) : followees;
        SortedChunks<String> theirs =
                author.followers == null ? new SortedChunks<>(Comparator.naturalOrder()) : author.followers;
        followees = mine;
        author.followers = theirs;
        return mine.add(author.id) && theirs.add(id);
    }

    /** Makes this user no longer follow another. The caller holds both locks. */
    boolean unfollow(UserEdges author) {
        if (followees == null || author.followers == null || !followees.remove(author.id)) {
            return false;
        }
        author.followers.remove(id);
        if (followees.isEmpty()) {
            followees = null;
        }
        if (author.followers.isEmpty()) {
            author.followers = null;
        }
        return true;
    }

    synchronized IdPage followers(KeyRange range, String after, int limit) {
        return page(followers, range, after, limit);
    }

    synchronized IdPage followees(String after, int limit) {
        return page(followees, KeyRange.ALL, after, limit);
    }

    synchronized Set<String> followed(Collection<String> authors) {
        Set<String> found = new HashSet<>();
        for (String author : authors) {
            if (followees != null && followees.find(other -> other.compareTo(author)) != null) {
                found.add(author);
            }
        }
        return found;
    }

    synchronized FollowCounts counts() {
        return new FollowCounts(followers == null ? 0 : followers.size(), followees == null ? 0 : followees.size());
    }

    /** Cuts the followers into parts of about equal size. Returns the first id of each part after the first. */
    synchronized List<String> cuts(int parts) {
        List<String> cuts = new ArrayList<>();
        long count = followers == null ? 0 : followers.size();
        int cut = 0;
        for (int part = 1; followers != null && part < parts; part++) {
            int next = (int) (count * part / parts);
            if (next > cut) {
                cut = next;
                cuts.add(followers.get(cut));
            }
        }
        return cuts;
    }

    private static IdPage page(@Nullable SortedChunks<String> ids, KeyRange range, String after, int limit) {
        if (ids == null) {
            return new IdPage(List.of(), false);
        }
        SortedChunks.Bound<String> from = id -> id.compareTo(after) <= 0 ? -1 : id.compareTo(range.from());
        int oneMore = limit == Integer.MAX_VALUE ? limit : limit + 1;
        List<String> found = ids.ascending(from, id -> id.compareTo(range.below()), oneMore);
        boolean more = found.size() > limit;
        return new IdPage(more ? found.subList(0, limit) : found, more);
    }
}
