package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.DoubleListOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The plain commands that read outboxes, except those for ranges. */
final class OutboxCommands {

    private static final int READ_AT_ONCE = 200;

    private OutboxCommands() {}

    /** The strings of many items, each in its partition; empty where there is none. */
    static <I> List<byte[]> strings(
            RedisLink link, String operation, List<I> items, ToIntFunction<I> partition, Function<I, byte[]> key) {
        PartitionBatcher<I> split = PartitionBatcher.of(items, link.apart(partition), READ_AT_ONCE);
        return split.inPlace(link.runAll(operation, Effect.READ, calls(split, key)));
    }

    /** The same without waiting: the supplier waits for the answer. */
    static <I> Supplier<List<byte[]>> stringsLater(
            RedisLink link, String operation, List<I> items, ToIntFunction<I> partition, Function<I, byte[]> key) {
        PartitionBatcher<I> split = PartitionBatcher.of(items, link.apart(partition), READ_AT_ONCE);
        Supplier<List<List<byte[]>>> asked = link.ask(operation, calls(split, key));
        return () -> split.inPlace(asked.get());
    }

    private static <I> List<Call<List<byte[]>>> calls(PartitionBatcher<I> split, Function<I, byte[]> key) {
        return split.each(batch -> strings(batch.items().stream().map(key).toList()));
    }

    /** The strings of keys in one slot; empty where there is none. */
    static Call<List<byte[]>> strings(List<byte[]> keys) {
        return Call.ofKeys(CommandType.MGET, StringsOutput::new, keys);
    }

    /** The scores of members; null where there is none. */
    static Call<List<Double>> scores(byte[] key, List<byte[]> members) {
        return Call.of(CommandType.ZMSCORE, DoubleListOutput::new, key, members.toArray(byte[][]::new));
    }

    private static final class StringsOutput extends ValueListOutput<byte[], byte[]> {

        StringsOutput(RedisCodec<byte[], byte[]> codec) {
            super(codec);
        }

        @Override
        public void set(@Nullable ByteBuffer bytes) {
            super.set(bytes == null ? ByteBuffer.allocate(0) : bytes);
        }
    }
}
