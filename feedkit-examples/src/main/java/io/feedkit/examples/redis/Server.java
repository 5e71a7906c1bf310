package io.feedkit.examples.redis;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** A server with feeds under a prefix, and where on it they are. Nothing here writes. */
final class Server implements AutoCloseable {

    /** Parts of the truth, each with a log of its own. */
    static final int PARTITIONS = 16;

    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    private Server(RedisClient client, String prefix) {
        this.prefix = prefix;
        this.client = client;
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    static Server connect(RedisURI uri, String prefix) {
        RedisClient client = RedisClient.create(uri);
        try {
            return new Server(client, prefix);
        } catch (RuntimeException e) {
            client.shutdown();
            throw e;
        }
    }

    /** All commands, of which views use those that read. */
    RedisCommands<byte[], byte[]> ask() {
        return connection.sync();
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

    /** Those members of a sorted set by score that have the highest ones, as text. */
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

    /** When a key goes by itself. */
    String expiry(String key) {
        long millis = ask().pttl(bytes(key));
        return millis < 0 ? "" : ", for another " + millis / 1000 + " s";
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
