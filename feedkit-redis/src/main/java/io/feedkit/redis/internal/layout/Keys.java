package io.feedkit.redis.internal.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The names of keys, each with a hash tag of its own making, so that a cluster keeps together what one step is about.
 *
 * <p>What belongs to a user as such (inbox, notes, edges, mark) lies in one of {@value #BUCKETS} buckets: few enough that a batch of readers finds others of its bucket, many
 * enough to spread over the nodes. The truth lies in {@value #PARTITIONS} partitions, by author: each has its share of the log beside the posts, and whoever looks for work looks
 * into all of them. Both numbers are part of the format.
 */
public final class Keys {

    /** Buckets of users. */
    public static final int BUCKETS = 256;

    /** Partitions of the truth. */
    public static final int PARTITIONS = 16;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final byte[] opening;

    /** The keys of an application. */
    public Keys(String prefix) {
        opening = bytes(prefix + ":{");
    }

    /**
     * How keys of some kind that users have go on after the hash tag.
     *
     * @return what {@link #ofUser} takes
     */
    public static byte[] kind(String kind) {
        return bytes("}:" + kind + ":");
    }

    /** What of some kind a user has. */
    public byte[] ofUser(String kind, String user) {
        return ofUser(kind(kind), user);
    }

    /** What of some kind a user has, for callers that ask for very many. */
    public byte[] ofUser(byte[] kind, String user) {
        byte[] key = new byte[opening.length + 2 + kind.length + user.length()];
        System.arraycopy(opening, 0, key, 0, opening.length);
        int idAt = opening.length + 2 + kind.length;
        for (int i = 0; i < user.length(); i++) {
            key[idAt + i] = (byte) user.charAt(i);
        }
        CRC32 crc = new CRC32();
        crc.update(key, idAt, user.length());
        int bucket = (int) crc.getValue() & (BUCKETS - 1);
        key[opening.length] = HEX[bucket >> 4];
        key[opening.length + 1] = HEX[bucket & 0xF];
        System.arraycopy(kind, 0, key, opening.length + 2, kind.length);
        return key;
    }

    /** What of some kind a user has about another; no id has a space. */
    public byte[] ofPair(String kind, String user, String other) {
        int bucket = bucket(user);
        return key(HEX[bucket >> 4], HEX[bucket & 0xF], kind + ":" + user + " " + other);
    }

    /** What of some kind an author has, in the author's partition. */
    public byte[] ofAuthor(String kind, String author) {
        return ofPartition(kind + ":" + author, partition(author));
    }

    /** What of some kind a partition has. */
    public byte[] ofPartition(String kind, int partition) {
        return key((byte) 't', HEX[partition], kind);
    }

    /** The bucket of a user. */
    public static int bucket(String user) {
        return (int) hash(user) & (BUCKETS - 1);
    }

    /** The partition of an author. */
    public static int partition(String author) {
        return (int) (hash(author) >>> 28);
    }

    private static long hash(String id) {
        CRC32 crc = new CRC32();
        crc.update(bytes(id));
        return crc.getValue();
    }

    private byte[] key(byte tag1, byte tag2, String rest) {
        byte[] end = bytes("  }:" + rest);
        end[0] = tag1;
        end[1] = tag2;
        byte[] key = Arrays.copyOf(opening, opening.length + end.length);
        System.arraycopy(end, 0, key, opening.length, end.length);
        return key;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
