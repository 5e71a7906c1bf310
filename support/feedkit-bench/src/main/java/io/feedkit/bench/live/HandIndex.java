package io.feedkit.bench.live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An index of connected readers by hand: lists in maps, without queues, cursors or locks. Used by one thread. */
final class HandIndex {

    /** A reader, with the lists to leave at the end of the connection. */
    private record Reader(String id, List<List<Reader>> followees) {}

    private final Map<String, Reader> readers = new HashMap<>();
    private final Map<String, List<Reader>> authors = new HashMap<>();

    void connect(String id, List<String> followees) {
        Reader reader = new Reader(id, new ArrayList<>(followees.size()));
        readers.put(id, reader);
        for (String author : followees) {
            List<Reader> followers = authors.computeIfAbsent(author, same -> new ArrayList<>());
            followers.add(reader);
            reader.followees().add(followers);
        }
    }
}
