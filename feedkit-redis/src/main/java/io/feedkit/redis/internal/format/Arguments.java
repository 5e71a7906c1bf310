package io.feedkit.redis.internal.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Values as scripts take them. Lua's numbers are doubles, so tokens and marks travel as bytes, and times are kept below 2^48. */
public final class Arguments {

    private static final long LONGEST = (1L << 48) - 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Arguments() {}

    /** A time or a length of time, or the nearest that can be stored. */
    public static byte[] millis(long millis) {
        return text(Long.toString(Math.max(0, Math.min(millis, LONGEST))));
    }

    public static byte[] number(int number) {
        return text(Integer.toString(number));
    }

    public static byte[] flag(boolean flag) {
        return text(flag ? "1" : "0");
    }

    /** What a script says of each of many: 1 or 0. */
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

    /** A positive number that nobody has seen, and that is never used again, also if everything was lost in between. */
    public static long newToken() {
        long token = RANDOM.nextLong() >>> 1;
        return token == 0 ? newToken() : token;
    }
}
