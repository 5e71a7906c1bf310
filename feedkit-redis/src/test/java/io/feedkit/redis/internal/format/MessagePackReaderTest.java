package io.feedkit.redis.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a script packs")
class MessagePackReaderTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 255, 256, 65_535})
    @DisplayName("are bytes of any length a record may have, one after the other")
    void bytes(int length) {
        MessagePackReader packed = packed("cmsgpack.pack(string.rep('\\255', " + length + "), 'end')");
        ByteBuffer expected = ByteBuffer.allocate(length);
        while (expected.hasRemaining()) {
            expected.put((byte) 0xFF);
        }
        assertThat(packed.bytes()).isEqualTo(expected.flip());
        assertThat(packed.bytes()).isEqualTo(ByteBuffer.wrap(Arguments.text("end")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 65_535, 65_536})
    @DisplayName("are lists of as many as an inbox may have")
    void lists(int size) {
        MessagePackReader packed = packed("(function() local l = {} for i = 1, " + size
                + " do l[i] = 'x' end return cmsgpack.pack(l, 'end') end)()");
        assertThat(packed.list()).isEqualTo(size);
        for (int i = 0; i < size; i++) {
            assertThat(packed.bytes().remaining()).isEqualTo(1);
        }
        assertThat(packed.bytes()).isEqualTo(ByteBuffer.wrap(Arguments.text("end")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "{}", "{1, 2}", "string.rep('x', 65536)"})
    @DisplayName("is not read as bytes if it is not")
    void noBytes(String value) {
        MessagePackReader packed = packed("cmsgpack.pack(" + value + ")");
        assertThatThrownBy(packed::bytes).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "''", "string.rep('x', 300)"})
    @DisplayName("is not read as a list if it is not")
    void noList(String value) {
        MessagePackReader packed = packed("cmsgpack.pack(" + value + ")");
        assertThatThrownBy(packed::list).isInstanceOf(IllegalStateException.class);
    }

    private static MessagePackReader packed(String expression) {
        try (RedisClient client = RedisClient.create(RedisServer.shared().uri())) {
            byte[] bytes =
                    client.connect(ByteArrayCodec.INSTANCE).sync().eval("return " + expression, ScriptOutputType.VALUE);
            return new MessagePackReader(bytes);
        }
    }
}
