package io.feedkit.bench.redis.hand;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.internal.inbox.DeliveryBridge;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.VoidOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The commands that a page with cold caches must send to the server, in one batch, without processing the answers: the
 * newest of the inbox, a version, and one head (recent posts) for each pulled author that the page may show.
 */
public final class BareColdPage implements AutoCloseable {

    private static final int PAGE = 20;
    private static final int VERSION_BYTES = 8;
    private static final byte[] VERSION = text("bare:version");

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final List<byte[]> heads;

    /** Creates the page for a number of pulled authors. Each head is a copy of one that the store has now. */
    public BareColdPage(BenchRedis redis, int pulled) {
        connection = redis.connect(ByteArrayCodec.INSTANCE);
        connection.sync().set(VERSION, new byte[VERSION_BYTES]);
        heads = IntStream.range(0, Math.min(pulled, PAGE))
                .mapToObj(i -> text("bare:head:" + i))
                .toList();
        if (pulled > 0) {
            byte[] head = anyHead();
            heads.forEach(key -> connection.sync().set(key, head));
        }
    }

    /** A head of the store. It expires after ten minutes, which may be now. */
    private byte[] anyHead() {
        return connection.sync().keys(RedisInboxes.DEFAULT_PREFIX + ":*:head:*").stream()
                .map(key -> connection.sync().get(key))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the store must have packed heads, but has none"));
    }

    public void read(String reader) {
        byte[] inbox = DeliveryBridge.keys(RedisInboxes.DEFAULT_PREFIX, List.of(reader))
                .get(0);
        List<AsyncCommand<byte[], byte[], Void>> batch = new ArrayList<>();
        batch.add(command(
                CommandType.LRANGE,
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .addKey(inbox)
                        .add(-PAGE)
                        .add(-1)));
        batch.add(command(CommandType.GET, new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(VERSION)));
        if (!heads.isEmpty()) {
            batch.add(command(CommandType.MGET, new CommandArgs<>(ByteArrayCodec.INSTANCE).addKeys(heads)));
        }
        connection.dispatch(batch);
        batch.forEach(AsyncCommand::join);
    }

    private static AsyncCommand<byte[], byte[], Void> command(CommandType type, CommandArgs<byte[], byte[]> arguments) {
        return new AsyncCommand<>(new Command<>(type, new VoidOutput<>(ByteArrayCodec.INSTANCE), arguments));
    }

    private static byte[] text(String key) {
        return key.getBytes(US_ASCII);
    }

    @Override
    public void close() {
        connection.close();
    }
}
