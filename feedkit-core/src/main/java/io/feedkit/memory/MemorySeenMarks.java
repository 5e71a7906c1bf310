package io.feedkit.memory;

import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The seen marks, in a map. */
final class MemorySeenMarks implements SeenMarks {

    private final ConcurrentHashMap<String, SeenPosts> marks = new ConcurrentHashMap<>();

    @Override
    public void markSeen(List<Seen> seen) {
        for (Seen mark : seen) {
            marks.merge(mark.reader(), mark.posts(), SeenPosts::and);
        }
    }

    @Override
    public void reset(List<Seen> seen) {
        seen.forEach(mark -> marks.put(mark.reader(), mark.posts()));
    }

    @Override
    public List<SeenPosts> lastSeen(List<String> readers) {
        return readers.stream()
                .map(reader -> marks.getOrDefault(reader, SeenPosts.NOTHING))
                .toList();
    }

    @Override
    public void forget(Collection<String> readers) {
        readers.forEach(marks::remove);
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        Listing.of(marks.keySet(), visitor);
    }
}
