package io.feedkit.internal.cache;

import java.util.Collection;
import java.util.Set;

/** The authors whose posts belong in a reader's feed. Thread-safe; the set does not change. */
public final class FolloweeSet {

    /** The empty set. */
    public static final FolloweeSet NOBODY = new FolloweeSet(Set.of(), 0, true);

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long MIX_1 = 0xff51afd7ed558ccdL;
    private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;
    private static final int HALF = 33;

    private final Set<String> authors;
    private final long checksum;
    private final boolean whole;

    /** The last view of these authors in the register; valid as long as the register's changes stay the same. */
    private volatile RegisterView view = RegisterView.OF_NOBODY;

    FolloweeSet(Set<String> authors, long checksum, boolean whole) {
        this.authors = authors;
        this.checksum = checksum;
        this.whole = whole;
    }

    /** The followees, and the reader if own posts belong to the feed. */
    public Set<String> authors() {
        return authors;
    }

    /**
     * A checksum of the followees alone: the exclusive or of a number for each followee. One added or removed followee
     * changes the checksum by its number. Two different sets have the same checksum with a probability of
     * 2<sup>-64</sup>.
     */
    public long checksum() {
        return checksum;
    }

    /** Whether these are all followees; false if the reader follows more authors than a feed is read from. */
    public boolean isWhole() {
        return whole;
    }

    /** The {@link #number} of each author, in ascending order. */
    public long[] numbers() {
        return authors.stream().mapToLong(FolloweeSet::number).sorted().toArray();
    }

    RegisterView view() {
        return view;
    }

    void keep(RegisterView seen) {
        view = seen;
    }

    /** The change of a checksum if all of these authors are added or removed. */
    public static long checksum(Collection<String> authors) {
        long sum = 0;
        for (String author : authors) {
            sum ^= number(author);
        }
        return sum;
    }

    /**
     * A number for an author; two authors have the same with a probability of 2<sup>-64</sup>. FNV-1a (Fowler, Noll,
     * Vo), and the finalizer of MurmurHash3 (Appleby). Without the finalizer, the numbers of similar ids would cancel
     * each other out.
     */
    public static long number(String author) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < author.length(); i++) {
            hash = (hash ^ author.charAt(i)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> HALF) * MIX_1;
        hash = (hash ^ hash >>> HALF) * MIX_2;
        return hash ^ hash >>> HALF;
    }
}
