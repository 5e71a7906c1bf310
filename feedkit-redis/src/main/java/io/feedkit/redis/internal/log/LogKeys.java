package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.format.Keys;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The names of the log's keys in each partition, in the order in which its scripts take them. */
public final class LogKeys {

    private static final List<String> KINDS = List.of("log", "fresh", "tasks", "queue", "open", "catchups", "held");

    private final List<List<byte[]>> common;
    private final List<List<byte[]>> withDone;
    private final List<List<byte[]>> withDead;

    public LogKeys(Keys keys) {
        common = ofEach(keys, KINDS);
        withDone = ofEach(keys, and(KINDS, "done"));
        withDead = ofEach(keys, and(KINDS, "dead"));
    }

    /** The keys that every script of the log takes. */
    public List<byte[]> of(int partition) {
        return common.get(partition);
    }

    List<byte[]> withDone(int partition) {
        return withDone.get(partition);
    }

    List<byte[]> withDead(int partition) {
        return withDead.get(partition);
    }

    byte[] dead(int partition) {
        return withDead(partition).get(KINDS.size());
    }

    private static List<List<byte[]>> ofEach(Keys keys, List<String> kinds) {
        return IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> kinds.stream()
                        .map(kind -> keys.ofPartition(kind, partition))
                        .toList())
                .toList();
    }

    private static List<String> and(List<String> kinds, String kind) {
        return Stream.concat(kinds.stream(), Stream.of(kind)).toList();
    }
}
