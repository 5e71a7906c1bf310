package io.feedkit.internal.rank;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.Post;
import io.feedkit.PostKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * The content of a snapshot: the posts of a ranking that the first page has not shown, in their order, and the caveats
 * of the first page. Times are not stored, because a later page asks for the posts as they are then. The format:
 *
 * <ul>
 *   <li>1 byte: the version
 *   <li>1 byte: the caveats, a bit for each
 *   <li>2 bytes: the number of posts
 *   <li>for each post: the author's number, and the post's id. Authors have numbers from 1 in the order of their first
 *       posts; the number 0 is followed by the id of a new author. A number takes one byte below 128, else two
 *   <li>4 bytes: CRC-32 of all bytes before
 * </ul>
 *
 * <p>An id that is a number without leading zeros, below 2<sup>63</sup>, takes as many bytes as the number needs, and
 * one. A UUID in lower case takes 17 bytes. Every other id takes its characters and one byte.
 *
 * <p>An object of this class reads the posts from a place on. Not thread-safe.
 */
final class SavedOrder {

    private static final byte VERSION = 1;
    private static final int HEADER = 1 + 1 + Short.BYTES;
    private static final int MOST_ENTRY = 2 + 1 + 64 + 1 + 64;

    /** The first byte of an id that is a number; the number of bytes is added. */
    private static final int NUMBER = 128;

    /** The first byte of an id that is a UUID. */
    private static final int ID_OF_16_BYTES = 255;

    private static final int MOST_DIGITS = 19;
    private static final String HIGHEST = Long.toString(Long.MAX_VALUE);
    private static final int UUID_LENGTH = 36;
    private static final int ONE_BYTE = 128;

    private final ByteBuffer in;
    private final int size;
    private final Set<Caveat> caveats;
    private final List<String> authors = new ArrayList<>();
    private int place;

    private SavedOrder(ByteBuffer in, int size, Set<Caveat> caveats) {
        this.in = in;
        this.size = size;
        this.caveats = caveats;
    }

    /** The bytes of an order. */
    static byte[] bytes(List<Post> posts, Set<Caveat> caveats) {
        Writer out = new Writer(posts.size());
        out.put(VERSION);
        out.put(bits(caveats));
        out.put(posts.size() >>> Byte.SIZE);
        out.put(posts.size());
        Map<String, Integer> numbers = new HashMap<>();
        for (Post post : posts) {
            Integer number = numbers.putIfAbsent(post.author(), numbers.size() + 1);
            out.putNumber(number == null ? 0 : number);
            if (number == null) {
                out.putId(post.author());
            }
            out.putId(post.id());
        }
        return out.sealed();
    }

    /**
     * Opens an order at a place.
     *
     * @return empty if the bytes are damaged, or of another version
     */
    static Optional<SavedOrder> open(byte[] bytes, int place) {
        int end = bytes.length - Integer.BYTES;
        if (end < HEADER || bytes[0] != VERSION || ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, end);
        in.get();
        Set<Caveat> caveats = caveats(in.get());
        SavedOrder order = new SavedOrder(in, Short.toUnsignedInt(in.getShort()), caveats);
        try {
            while (order.place < Math.min(place, order.size)) {
                order.skip();
            }
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
        return Optional.of(order);
    }

    /** The caveats of the first page. */
    Set<Caveat> caveats() {
        return caveats;
    }

    /** The place of the next post. */
    int place() {
        return place;
    }

    boolean atEnd() {
        return place == size;
    }

    /** The next posts, at most {@code most}. */
    List<PostKey> next(int most) {
        List<PostKey> keys = new ArrayList<>();
        for (int end = Math.min(size, place + most); place < end; place++) {
            keys.add(new PostKey(author(), id()));
        }
        return keys;
    }

    private void skip() {
        String unused = author();
        int length = Byte.toUnsignedInt(in.get());
        in.position(in.position()
                + (length == ID_OF_16_BYTES ? 2 * Long.BYTES : length >= NUMBER ? length - NUMBER : length));
        place++;
    }

    private String author() {
        int first = in.get();
        int number = first >= 0 ? first : (first & (ONE_BYTE - 1)) * ONE_BYTE + in.get();
        if (number == 0) {
            authors.add(id());
            return authors.get(authors.size() - 1);
        }
        return authors.get(number - 1);
    }

    private String id() {
        int length = Byte.toUnsignedInt(in.get());
        if (length == ID_OF_16_BYTES) {
            return new UUID(in.getLong(), in.getLong()).toString();
        }
        if (length >= NUMBER) {
            long number = 0;
            for (int i = NUMBER; i < length; i++) {
                number = number << Byte.SIZE | Byte.toUnsignedInt(in.get());
            }
            return Long.toString(number);
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, ISO_8859_1);
    }

    private static boolean isNumber(String id) {
        if (id.length() > MOST_DIGITS || (id.charAt(0) == '0' && id.length() > 1)) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < '0' || id.charAt(i) > '9') {
                return false;
            }
        }
        return id.length() < MOST_DIGITS || id.compareTo(HIGHEST) <= 0;
    }

    private static boolean isUuid(String id) {
        if (id.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = id.charAt(i);
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? c != '-' : (c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static byte bits(Collection<Caveat> caveats) {
        int bits = 0;
        for (Caveat caveat : caveats) {
            bits |= bit(caveat);
        }
        return (byte) bits;
    }

    private static Set<Caveat> caveats(byte bits) {
        Set<Caveat> caveats = EnumSet.noneOf(Caveat.class);
        for (Caveat caveat : Caveat.values()) {
            if ((bits & bit(caveat)) != 0) {
                caveats.add(caveat);
            }
        }
        return caveats;
    }

    private static int bit(Caveat caveat) {
        return switch (caveat) {
            case STALE -> 1;
            case SOME_FOLLOWEES -> 2;
            case ORDER_NOT_SAVED -> 0;
        };
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** Writes posts into an array that grows. */
    private static final class Writer {

        /** A guess for ids of 18 digits, and an author for each second post. */
        private static final int USUAL_ENTRY = 16;

        private byte[] bytes;
        private int length;

        Writer(int posts) {
            bytes = new byte[HEADER + posts * USUAL_ENTRY + MOST_ENTRY + Integer.BYTES];
        }

        void put(int value) {
            bytes[length++] = (byte) value;
        }

        /** Begins a post. */
        void putNumber(int number) {
            if (bytes.length - length < MOST_ENTRY + Integer.BYTES) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
            if (number >= ONE_BYTE) {
                put(number / ONE_BYTE | ONE_BYTE);
                put(number % ONE_BYTE);
            } else {
                put(number);
            }
        }

        void putId(String id) {
            if (isNumber(id)) {
                long number = Long.parseLong(id);
                int size = (Long.SIZE - Long.numberOfLeadingZeros(number) + Byte.SIZE - 1) / Byte.SIZE;
                put(NUMBER + size);
                putLowest(size, number);
            } else if (isUuid(id)) {
                UUID uuid = UUID.fromString(id);
                put(ID_OF_16_BYTES);
                putLowest(Long.BYTES, uuid.getMostSignificantBits());
                putLowest(Long.BYTES, uuid.getLeastSignificantBits());
            } else {
                put(id.length());
                for (int i = 0; i < id.length(); i++) {
                    put(id.charAt(i));
                }
            }
        }

        private void putLowest(int size, long number) {
            for (int shift = (size - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                put((byte) (number >>> shift));
            }
        }

        byte[] sealed() {
            int checksum = checksum(bytes, length);
            putLowest(Integer.BYTES, checksum);
            return Arrays.copyOf(bytes, length);
        }
    }
}
