package io.feedkit.redis.internal.call;

import io.feedkit.redis.internal.format.Arguments;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command or a script for a server.
 *
 * @param <T> the type of the answer
 */
public final class Call<T> {

    /**
     * Creates the output that reads an answer. Usually it is a constructor of one of Lettuce's outputs.
     *
     * @param <T> the type of the answer
     */
    @FunctionalInterface
    public interface Output<T> {

        /** Creates an output. */
        CommandOutput<byte[], byte[], T> of(RedisCodec<byte[], byte[]> codec);
    }

    private final Output<T> output;
    private final CommandType type;
    private final List<byte[]> keys;
    private final EncodedArguments arguments;
    private final Supplier<EncodedArguments> withText;

    private Call(
            Output<T> output,
            CommandType type,
            List<byte[]> keys,
            EncodedArguments arguments,
            Supplier<EncodedArguments> withText) {
        this.output = output;
        this.type = type;
        this.keys = keys;
        this.arguments = arguments;
        this.withText = withText;
    }

    /** A command about one key. */
    public static <T> Call<T> of(CommandType type, Output<T> output, byte[] key, byte[]... arguments) {
        return command(type, output, List.of(key), Arrays.asList(arguments));
    }

    /** A command about at least one key, all in one slot. */
    public static <T> Call<T> ofKeys(CommandType type, Output<T> output, List<byte[]> keys) {
        return command(type, output, keys, List.of());
    }

    /** A command about a server. */
    public static <T> Call<T> general(CommandType type, Output<T> output, String... words) {
        return command(
                type,
                output,
                List.of(),
                Arrays.stream(words).map(Arguments::text).toList());
    }

    private static <T> Call<T> command(CommandType type, Output<T> output, List<byte[]> keys, List<byte[]> others) {
        return new Call<>(output, type, keys, EncodedArguments.of(first(keys), List.of(keys, others)), () -> {
            throw new IllegalStateException(type + " has no text");
        });
    }

    static <T> Call<T> of(Script<T> script, List<byte[]> keys, List<byte[]> arguments) {
        return new Call<>(
                script.answer(),
                CommandType.EVALSHA,
                keys,
                arguments(script.digest(), keys, arguments),
                () -> arguments(script.body(), keys, arguments));
    }

    private static EncodedArguments arguments(String script, List<byte[]> keys, List<byte[]> values) {
        List<byte[]> before = List.of(Arguments.text(script), Arguments.number(keys.size()));
        return EncodedArguments.of(first(keys), List.of(before, keys, values));
    }

    private static byte @Nullable [] first(List<byte[]> keys) {
        return keys.isEmpty() ? null : keys.get(0);
    }

    /** The number of keys, which is a measure of the work. */
    int keys() {
        return keys.size();
    }

    /** The first key. The call must have one. */
    byte[] firstKey() {
        return keys.get(0);
    }

    /** The slot of the first key in a cluster; -1 for a call without keys. */
    int slot() {
        return keys.isEmpty() ? -1 : SlotHash.getSlot(firstKey());
    }

    AsyncCommand<byte[], byte[], T> command() {
        return new AsyncCommand<>(new Command<>(type, output.of(ByteArrayCodec.INSTANCE), arguments));
    }

    /** The same command with the text of the script, for a server that does not know the script. */
    AsyncCommand<byte[], byte[], T> commandWithText() {
        return new AsyncCommand<>(new Command<>(CommandType.EVAL, output.of(ByteArrayCodec.INSTANCE), withText.get()));
    }
}
