package io.feedkit.redis.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Encoded arguments")
class EncodedArgumentsTest {

    private static byte[] bytes(CommandArgs<byte[], byte[]> arguments) {
        ByteBuf buffer = Unpooled.buffer();
        arguments.encode(buffer);
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    @Test
    @DisplayName("are what Lettuce would send, whatever their bytes and lengths, each time they are sent")
    void same() {
        Random random = new Random(5);
        List<byte[]> parts = Stream.of(0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 9_999, 10_000, 123_456)
                .map(byte[]::new)
                .toList();
        parts.forEach(random::nextBytes);
        CommandArgs<byte[], byte[]> lettuces = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        lettuces.addKeys(parts).add(parts.get(3));
        EncodedArguments ours = EncodedArguments.of(parts.get(2), List.of(parts, List.of(), List.of(parts.get(3))));
        assertThat(bytes(ours)).isEqualTo(bytes(lettuces)).isEqualTo(bytes(ours));
        assertThat(ours.count()).isEqualTo(lettuces.count());
        assertThat(ours.getFirstEncodedKey()).isEqualTo(ByteBuffer.wrap(parts.get(2)));
    }

    @Test
    @DisplayName("may be none, and need no key")
    void none() {
        EncodedArguments none = EncodedArguments.of(null, List.of());
        assertThat(bytes(none)).isEmpty();
        assertThat(none.count()).isZero();
        assertThat(none.getFirstEncodedKey()).isNull();
    }
}
