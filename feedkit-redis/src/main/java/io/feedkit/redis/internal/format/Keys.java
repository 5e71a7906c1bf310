package io.feedkit.redis.internal.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The names of keys. Each has a hash tag, so that a cluster keeps the keys of one step in one slot.
 *
 * <p>The keys of a user (inbox, pending follows, edges, mark) are in one of {@value #BUCKETS} buckets. Those are few
 * enough that a batch of readers often shares a bucket, and many enough to spread over the nodes. The source of truth
 * is in {@value #PARTITIONS} partitions by author. A partition holds the posts with their share of the fan-out log, and
 * a worker looks for tasks in all partitions. Both numbers are part of the format.
 */
public final class Keys {

    /** The number of buckets for users. */
    public static final int BUCKETS = 256;

    /** The number of partitions of the source of truth. */
    public static final int PARTITIONS = 16;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final String TAG_END = "}:";

    private final byte[] opening;

    /** The keys of an application. */
    public Keys(String prefix) {
        opening = bytes(prefix + ":{");
    }

    /** A user's key of some kind. */
    public byte[] ofUser(String kind, String user) {
        byte[] key = key(kind, ":", user);
        return inBucket(key, bucket(hash(key, key.length - user.length(), user.length())));
    }

    /** The pattern of all users' keys of some kind, for SCAN. */
    public String pattern(String kind) {
        String opened = new String(opening, StandardCharsets.US_ASCII).replaceAll("[*?\\[\\]\\\\]", "\\\\$0");
        return opened + "??" + TAG_END + kind + ":*";
    }

    /** The user of a key of some kind. */
    public String user(String kind, byte[] key) {
        int from = opening.length + 2 + TAG_END.length() + kind.length() + 1;
        return new String(key, from, key.length - from, StandardCharsets.US_ASCII);
    }

    /** A user's key of some kind about another user. No id contains a space. */
    public byte[] ofPair(String kind, String user, String other) {
        return inBucket(key(kind, ":", user + " " + other), bucket(user));
    }

    /** A bucket's key of some kind. */
    public byte[] ofBucket(String kind, int bucket) {
        return inBucket(key(kind, "", ""), bucket);
    }

    /** An author's key of some kind, in the author's partition. */
    public byte[] ofAuthor(String kind, String author) {
        byte[] key = key(kind, ":", author);
        return inPartition(key, partition(hash(key, key.length - author.length(), author.length())));
    }

    /** A partition's key of some kind. */
    public byte[] ofPartition(String kind, int partition) {
        return inPartition(key(kind, "", ""), partition);
    }

    /**
     * A key whose tag is still missing. Joining and encoding strings would take several times as long, and one fan-out
     * makes millions of keys.
     */
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
