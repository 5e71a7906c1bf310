package io.feedkit.tools.inspect;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** A server with feeds under a prefix, and the keys of these feeds. No method writes. */
final class Server {

    /** Parts of the source of truth, each with its own log. */
    static final int PARTITIONS = 16;

    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;
    private final Connection connection;

    Server(Connection connection, String prefix) {
        this.connection = connection;
        this.prefix = prefix;
    }

    /** Whether no store has ever started under the prefix. */
    boolean isEmpty() {
        return ask().exists(bytes(ofPartition("format", 0))) == 0;
    }

    /** All commands. Views use only those that read. */
    RedisClusterCommands<byte[], byte[]> ask() {
        return connection.commands();
    }

    String ofUser(String kind, String user) {
        return key(HEX.toHexDigits((byte) crc(user)), kind + ":" + user);
    }

    String ofAuthor(String kind, String author) {
        return key("t" + HEX.toHexDigits(crc(author) >>> 28, 1), kind + ":" + author);
    }

    String ofPartition(String kind, int partition) {
        return key("t" + HEX.toHexDigits(partition, 1), kind);
    }

    private String key(String tag, String rest) {
        return prefix + ":{" + tag + "}:" + rest;
    }

    private static long crc(String id) {
        CRC32 crc = new CRC32();
        crc.update(bytes(id));
        return crc.getValue();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] get(String key) {
        byte[] value = ask().get(bytes(key));
        return value == null ? new byte[0] : value;
    }

    Map<byte[], byte[]> hash(String key) {
        return ask().hgetall(bytes(key));
    }

    long size(String key) {
        return ask().zcard(bytes(key));
    }

    /** The first members of a sorted set. */
    List<byte[]> first(String key, int limit) {
        return ask().zrange(bytes(key), 0, limit - 1L);
    }

    long length(String key) {
        return ask().llen(bytes(key));
    }

    /** The first elements of a list. */
    List<byte[]> front(String key, int limit) {
        return ask().lrange(bytes(key), 0, limit - 1L);
    }

    /** The members of a sorted set with the highest scores, as text. */
    List<String> newest(String key, int limit) {
        return ask()
                .zrevrangebyscoreWithScores(
                        bytes(key),
                        Range.from(Range.Boundary.including(0), Range.Boundary.unbounded()),
                        Limit.create(0, limit))
                .stream()
                .map(post -> Stored.time((long) post.getScore()) + " " + Stored.text(post.getValue()))
                .toList();
    }

    /** The text about the time until a key expires. */
    String expiry(String key) {
        long millis = ask().pttl(bytes(key));
        return millis < 0 ? "" : ", expires in " + millis / 1000 + " s";
    }
}
