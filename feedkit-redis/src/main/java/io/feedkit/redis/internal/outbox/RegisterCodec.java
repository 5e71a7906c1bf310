package io.feedkit.redis.internal.outbox;

import io.feedkit.PostKey;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.spi.PulledRegister.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes the pulled register in Redis. */
final class RegisterCodec {

    private static final byte VERSION = 1;

    /** The bytes before the length of the oldest position of an entry: the format's version, and the entry's. */
    private static final int ENTRY_HEADER = 1 + Long.BYTES;

    private RegisterCodec() {}

    /** The member of a post in the set of posts being retracted. No id has a space. */
    static byte[] retracting(PostKey key) {
        return Arguments.text(key.author() + " " + key.id());
    }

    static PostKey post(byte[] member) {
        String key = text(member);
        int space = key.indexOf(' ');
        return new PostKey(key.substring(0, space), key.substring(space + 1));
    }

    static Entry entry(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        if (bytes.get() != VERSION) {
            throw new IllegalStateException("an entry of the pulled register is not of version 1");
        }
        long version = bytes.getLong();
        int newest = ENTRY_HEADER + 1 + Byte.toUnsignedInt(bytes.get());
        return new Entry(
                PositionCodec.position(Arrays.copyOfRange(value, ENTRY_HEADER + 1, newest)),
                PositionCodec.position(value, newest),
                version);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
