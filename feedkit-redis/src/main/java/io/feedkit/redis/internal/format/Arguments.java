package io.feedkit.redis.internal.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes values as arguments of scripts. Lua's numbers are doubles. So tokens travel as bytes, and times stay below
 * 2^48.
 */
public final class Arguments {

    private static final long LONGEST = (1L << 48) - 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Arguments() {}

    /** A time or a duration, or the nearest one that can be stored. */
    public static byte[] millis(long millis) {
        return text(Long.toString(Math.max(0, Math.min(millis, LONGEST))));
    }

    public static byte[] number(int number) {
        return text(Integer.toString(number));
    }

    public static byte[] flag(boolean flag) {
        return text(flag ? "1" : "0");
    }

    /** Decodes an answer with one 1 or 0 for each item. */
    public static List<Boolean> flags(byte[] answer) {
        List<Boolean> flags = new ArrayList<>(answer.length);
        for (byte letter : answer) {
            flags.add(letter == '1');
        }
        return flags;
    }

    public static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] token(long token) {
        return ByteBuffer.allocate(Long.BYTES).putLong(token).array();
    }

    /** A new random positive number. It differs from all earlier ones, even if all data were lost in between. */
    public static long newToken() {
        long token = RANDOM.nextLong() >>> 1;
        return token == 0 ? newToken() : token;
    }
}
