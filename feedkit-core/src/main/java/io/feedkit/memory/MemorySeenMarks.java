package io.feedkit.memory;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The seen marks, in a map. */
final class MemorySeenMarks implements SeenMarks {

    private final ConcurrentHashMap<String, Position> marks = new ConcurrentHashMap<>();

    @Override
    public void markSeen(List<Seen> seen) {
        for (Seen mark : seen) {
            marks.merge(mark.reader(), mark.position(), Position::max);
        }
    }

    @Override
    public List<Position> lastSeen(List<String> readers) {
        return readers.stream()
                .map(reader -> marks.getOrDefault(reader, Position.LOWEST))
                .toList();
    }

    @Override
    public void forget(Collection<String> readers) {
        readers.forEach(marks::remove);
    }
}
