package io.feedkit.redis.internal.format;

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
    private static final String TAG_END = "}:";

    private final byte[] opening;

    /** The keys of an application. */
    public Keys(String prefix) {
        opening = bytes(prefix + ":{");
    }

    /** What of some kind a user has. */
    public byte[] ofUser(String kind, String user) {
        byte[] key = key(kind, ":", user);
        return inBucket(key, bucket(hash(key, key.length - user.length(), user.length())));
    }

    /** What of some kind a user has about another; no id has a space. */
    public byte[] ofPair(String kind, String user, String other) {
        return inBucket(key(kind, ":", user + " " + other), bucket(user));
    }

    /** What of some kind a bucket has. */
    public byte[] ofBucket(String kind, int bucket) {
        return inBucket(key(kind, "", ""), bucket);
    }

    /** What of some kind an author has, in the author's partition. */
    public byte[] ofAuthor(String kind, String author) {
        byte[] key = key(kind, ":", author);
        return inPartition(key, partition(hash(key, key.length - author.length(), author.length())));
    }

    /** What of some kind a partition has. */
    public byte[] ofPartition(String kind, int partition) {
        return inPartition(key(kind, "", ""), partition);
    }

    /** Without its tag. To join strings and encode them would take several times as long, and millions of keys are made of one fan-out. */
    private byte[] key(String kind, String colon, String id) {
        int kindAt = opening.length + 2 + TAG_END.length();
        byte[] key = Arrays.copyOf(opening, kindAt + kind.length() + colon.length() + id.length());
        put(key, opening.length + 2, TAG_END);
        put(key, kindAt, kind);
        put(key, kindAt + kind.length(), colon);
        put(key, key.length - id.length(), id);
        return key;
    }

    private static void put(byte[] key, int place, String text) {
        for (int i = 0; i < text.length(); i++) {
            key[place + i] = (byte) text.charAt(i);
        }
    }

    private byte[] inBucket(byte[] key, int bucket) {
        key[opening.length] = HEX[bucket >> 4];
        key[opening.length + 1] = HEX[bucket & 0xF];
        return key;
    }

    private byte[] inPartition(byte[] key, int partition) {
        key[opening.length] = 't';
        key[opening.length + 1] = HEX[partition];
        return key;
    }

    /** The bucket of a user. */
    public static int bucket(String user) {
        return bucket(hash(user));
    }

    /** The partition of an author. */
    public static int partition(String author) {
        return partition(hash(author));
    }

    private static int bucket(long hash) {
        return (int) hash & (BUCKETS - 1);
    }

    private static int partition(long hash) {
        return (int) (hash >>> 28);
    }

    private static long hash(String id) {
        byte[] bytes = bytes(id);
        return hash(bytes, 0, bytes.length);
    }

    private static long hash(byte[] bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
