package io.feedkit.redis.internal.format;

import java.nio.ByteBuffer;

/**
 * Reads byte strings and lists of them, as scripts pack them in <a
 * href="https://github.com/msgpack/msgpack/blob/master/spec.md">MessagePack</a>. It supports no other types, and byte
 * strings of at most 65,535 bytes. The returned slices share the bytes. Not thread-safe.
 */
public final class MessagePackReader {

    private static final int SHORT_LIST = 0x90;
    private static final int SHORT_BYTES = 0xA0;
    private static final int BYTES_8 = 0xD9;
    private static final int BYTES_16 = 0xDA;
    private static final int LIST_16 = 0xDC;
    private static final int LIST_32 = 0xDD;

    private final ByteBuffer from;

    public MessagePackReader(byte[] bytes) {
        from = ByteBuffer.wrap(bytes);
    }

    /** The next byte string. */
    public ByteBuffer bytes() {
        int type = type();
        int length = switch (type) {
            case BYTES_8 -> Byte.toUnsignedInt(from.get());
            case BYTES_16 -> Short.toUnsignedInt(from.getShort());
            default -> shortLength(type, SHORT_BYTES, 0x1F);
        };
        ByteBuffer bytes = from.slice(from.position(), length);
        from.position(from.position() + length);
        return bytes;
    }

    /** The length of the list that follows. */
    public int list() {
        int type = type();
        return switch (type) {
            case LIST_16 -> Short.toUnsignedInt(from.getShort());
            case LIST_32 -> from.getInt();
            default -> shortLength(type, SHORT_LIST, 0x0F);
        };
    }

    private int type() {
        return Byte.toUnsignedInt(from.get());
    }

    private static int shortLength(int type, int expected, int mask) {
        if ((type & ~mask) != expected) {
            throw new IllegalStateException("an answer of a script cannot be decoded: unexpected type " + type);
        }
        return type & mask;
    }
}
