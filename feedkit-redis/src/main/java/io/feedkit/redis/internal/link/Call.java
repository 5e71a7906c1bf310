package io.feedkit.redis.internal.link;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * Something to be asked of a server: a command, or a script.
 *
 * @param <T> what it answers
 */
public final class Call<T> {

    private final Supplier<CommandOutput<byte[], byte[], T>> output;
    private final CommandType type;
    private final CommandArgs<byte[], byte[]> arguments;
    private final Supplier<CommandArgs<byte[], byte[]>> withText;
    private final int keys;

    private Call(
            Supplier<CommandOutput<byte[], byte[], T>> output,
            CommandType type,
            CommandArgs<byte[], byte[]> arguments,
            Supplier<CommandArgs<byte[], byte[]>> withText,
            int keys) {
        this.output = output;
        this.type = type;
        this.arguments = arguments;
        this.withText = withText;
        this.keys = keys;
    }

    /** A command about a key. */
    public static <T> Call<T> of(
            CommandType type, Supplier<CommandOutput<byte[], byte[], T>> output, byte[] key, byte[]... arguments) {
        CommandArgs<byte[], byte[]> all = none().addKey(key);
        for (byte[] argument : arguments) {
            all.add(argument);
        }
        return new Call<>(
                output,
                type,
                all,
                () -> {
                    throw new IllegalStateException(type + " has no text");
                },
                1);
    }

    /** A command about a server. */
    public static <T> Call<T> general(
            CommandType type, Supplier<CommandOutput<byte[], byte[], T>> output, String... words) {
        CommandArgs<byte[], byte[]> all = none();
        for (String word : words) {
            all.add(word);
        }
        return new Call<>(
                output,
                type,
                all,
                () -> {
                    throw new IllegalStateException(type + " has no text");
                },
                0);
    }

    static <T> Call<T> of(Script<T> script, List<byte[]> keys, List<byte[]> arguments) {
        return new Call<>(
                script.answer(),
                CommandType.EVALSHA,
                arguments(script.digest(), keys, arguments),
                () -> arguments(script.body(), keys, arguments),
                keys.size());
    }

    /** How many keys it is about, and so about how much work. */
    int keys() {
        return keys;
    }

    /** There is one. */
    byte[] firstKey() {
        ByteBuffer key = arguments.getFirstEncodedKey();
        byte[] bytes = new byte[key.remaining()];
        key.duplicate().get(bytes);
        return bytes;
    }

    /** The slot that its first key has in a cluster; -1 if there is none. */
    int slot() {
        ByteBuffer key = arguments.getFirstEncodedKey();
        return key == null ? -1 : SlotHash.getSlot(key);
    }

    AsyncCommand<byte[], byte[], T> command() {
        return new AsyncCommand<>(new Command<>(type, output.get(), arguments));
    }

    /** The same with the text of the script, for a server that does not know it. */
    AsyncCommand<byte[], byte[], T> commandWithText() {
        return new AsyncCommand<>(new Command<>(CommandType.EVAL, output.get(), withText.get()));
    }

    private static CommandArgs<byte[], byte[]> arguments(String script, List<byte[]> keys, List<byte[]> values) {
        CommandArgs<byte[], byte[]> all = none().add(script).add(keys.size()).addKeys(keys);
        values.forEach(all::add);
        return all;
    }

    private static CommandArgs<byte[], byte[]> none() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }
}
