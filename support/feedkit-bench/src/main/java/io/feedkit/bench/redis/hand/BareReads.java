package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Collections;
import java.util.List;

/** Commands that do less than a page of a feed. Their cost is mostly the round trip to the server. */
public final class BareReads implements AutoCloseable {

    /** The length of a packed entry with a post id of 19 digits and an author id of 10. */
    private static final int RECORD = 21;

    private static final byte[] NOBODYS = key("nobodys");

    private final StatefulRedisConnection<byte[], byte[]> connection;

    public BareReads(BenchRedis redis) {
        connection = redis.connect(ByteArrayCodec.INSTANCE);
    }

    /** Creates a list with the given number of packed entries, for a reader without one. */
    public void fill(String reader, int entries) {
        if (entries > 0) {
            connection
                    .sync()
                    .rpush(
                            key(reader),
                            Collections.nCopies(entries, new byte[RECORD]).toArray(new byte[0][]));
        }
    }

    /** One command: the newest packed entries of a reader. */
    public List<byte[]> newest(String reader, int count) {
        return connection.sync().lrange(key(reader), -count, -1);
    }

    /** One command for a missing key. */
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
