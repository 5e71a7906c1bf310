package io.feedkit.redis.internal.layout;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
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

    private static final HexFormat HEX = HexFormat.of();

    private final String prefix;

    /** The keys of an application. */
    public Keys(String prefix) {
        this.prefix = prefix;
    }

    /** What of some kind a user has. */
    public byte[] ofUser(String kind, String user) {
        return ofUser(kind, user, user);
    }

    /** What of some kind a user has about another; no id has a space. */
    public byte[] ofPair(String kind, String user, String other) {
        return ofUser(kind, user + " " + other, user);
    }

    /** What of some kind an author has, in the author's partition. */
    public byte[] ofAuthor(String kind, String author) {
        return key(tag(partition(author)), kind + ":" + author);
    }

    /** What of some kind a partition has. */
    public byte[] ofPartition(String kind, int partition) {
        return key(tag(partition), kind);
    }

    /** The bucket of a user. */
    public static int bucket(String user) {
        return (int) hash(user) & (BUCKETS - 1);
    }

    /** The partition of an author. */
    public static int partition(String author) {
        return (int) (hash(author) >>> 28);
    }

    private static String tag(int partition) {
        return "t" + HEX.toHexDigits(partition, 1);
    }

    private static long hash(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }

    private byte[] ofUser(String kind, String name, String user) {
        return key(HEX.toHexDigits((byte) bucket(user)), kind + ":" + name);
    }

    private byte[] key(String tag, String rest) {
        return (prefix + ":{" + tag + "}:" + rest).getBytes(StandardCharsets.US_ASCII);
    }
}
