package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.counter.Member;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes members of sets as fields of hashes. There may be millions of them, so frequent parts take one byte.
 *
 * <p>A name is ASCII with two exceptions. Two digits in a row are one byte from 128 on. A frequent beginning is one
 * byte from 1 on. A value is a first byte, the number and the label. The first byte is the length of the number, plus
 * 128 if the member is settled, plus 16 times the index of a frequent label, which then does not follow.
 */
final class MemberCodec {

    /** The beginning of the names of likes. */
    private static final List<String> BEGINNINGS = List.of("like/");

    /**
     * The labels of members that need none, of reactions and views in the first incarnation of a post, and of
     * announcements for all. The index of other labels is 0.
     */
    private static final List<String> LABELS = List.of("", "0+", "0-", "0", "*");

    private static final int FIRST_PAIR = 128;
    private static final int SETTLED = 128;
    private static final int LABEL = 16;

    private MemberCodec() {}

    /** The field of a name. */
    static byte[] field(String name) {
        byte[] field = new byte[name.length()];
        int length = 0;
        int place = 0;
        for (int i = 0; i < BEGINNINGS.size(); i++) {
            if (name.startsWith(BEGINNINGS.get(i))) {
                field[length++] = (byte) (i + 1);
                place = BEGINNINGS.get(i).length();
            }
        }
        while (place < name.length()) {
            if (place + 1 < name.length() && isDigit(name.charAt(place)) && isDigit(name.charAt(place + 1))) {
                int pair = 10 * (name.charAt(place) - '0') + name.charAt(place + 1) - '0';
                field[length++] = (byte) (FIRST_PAIR + pair);
                place += 2;
            } else {
                field[length++] = (byte) name.charAt(place++);
            }
        }
        return Arrays.copyOf(field, length);
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    /** The name of a field. */
    static String name(byte[] field) {
        StringBuilder name = new StringBuilder(2 * field.length);
        for (byte each : field) {
            int code = Byte.toUnsignedInt(each);
            if (code >= FIRST_PAIR) {
                int pair = code - FIRST_PAIR;
                name.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
            } else if (code <= BEGINNINGS.size() && code > 0) {
                name.append(BEGINNINGS.get(code - 1));
            } else {
                name.append((char) code);
            }
        }
        return name.toString();
    }

    /** A label as scripts take it: the part that is added to the first byte, and the part behind the number. */
    static List<byte[]> label(String label) {
        int common = LABELS.indexOf(label) + 1;
        return List.of(
                Arguments.number(LABEL * common),
                common == 0 ? label.getBytes(StandardCharsets.US_ASCII) : new byte[0]);
    }

    /** The member of a value. */
    static Member member(String name, byte[] value) {
        CompactNumbers bytes = new CompactNumbers(value);
        int head = bytes.next();
        long number = bytes.number(head % LABEL);
        int label = head % SETTLED / LABEL;
        return new Member(name, label == 0 ? bytes.text() : LABELS.get(label - 1), number, head >= SETTLED);
    }
}
