package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.format.Keys;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The names of the log's keys in each partition, in the order in which its scripts take them. */
public final class LogKeys {

    private static final List<String> KINDS =
            List.of("log", "fresh", "tasks", "queue", "open", "catchups", "held", "lent");

    private final List<List<byte[]>> common;
    private final List<List<byte[]>> withDone;
    private final List<List<byte[]>> withDead;
    private final List<List<byte[]>> withRestart;

    public LogKeys(Keys keys) {
        common = ofEach(keys, List.of());
        withDone = ofEach(keys, List.of("done"));
        withDead = ofEach(keys, List.of("dead"));
        withRestart = ofEach(keys, List.of("done", "restart"));
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

    List<byte[]> withRestart(int partition) {
        return withRestart.get(partition);
    }

    byte[] fresh(int partition) {
        return of(partition).get(KINDS.indexOf("fresh"));
    }

    byte[] tasks(int partition) {
        return of(partition).get(KINDS.indexOf("tasks"));
    }

    byte[] restart(int partition) {
        return withRestart(partition).get(KINDS.size() + 1);
    }

    byte[] dead(int partition) {
        return withDead(partition).get(KINDS.size());
    }

    private static List<List<byte[]>> ofEach(Keys keys, List<String> more) {
        return IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> Stream.concat(KINDS.stream(), more.stream())
                        .map(kind -> keys.ofPartition(kind, partition))
                        .toList())
                .toList();
    }
}
