package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Collections;
import java.util.List;

/** Commands that do less than a page of a feed takes: what is left is mostly the way to the server and back. */
public final class BareReads implements AutoCloseable {

    /** A packed entry with a post id of 19 digits and an author's of 10. */
    private static final int RECORD = 21;

    private static final byte[] NOBODYS = key("nobodys");

    private final StatefulRedisConnection<byte[], byte[]> connection;

    public BareReads(BenchRedis redis) {
        connection = redis.connect(ByteArrayCodec.INSTANCE);
    }

    /** Makes a list of so many packed entries, for a reader who has none. */
    public void fill(String reader, int entries) {
        if (entries > 0) {
            connection
                    .sync()
                    .rpush(
                            key(reader),
                            Collections.nCopies(entries, new byte[RECORD]).toArray(new byte[0][]));
        }
    }

    /** One command: the newest packed entries of a reader's. */
    public List<byte[]> newest(String reader, int count) {
        return connection.sync().lrange(key(reader), -count, -1);
    }

    /** One command, about a key that is not there. */
    public void nothing() {
        connection.sync().get(NOBODYS);
    }

    private static byte[] key(String reader) {
        return ("bare:" + reader).getBytes(US_ASCII);
    }

    @Override
    public void close() {
        connection.close();
    }
}
