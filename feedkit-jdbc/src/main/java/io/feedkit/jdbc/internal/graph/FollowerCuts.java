package io.feedkit.jdbc.internal.graph;

import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Cuts followers into ranges of about equal size. */
public final class FollowerCuts {

    /** Finds a follower in an index. */
    public interface Finder {

        /**
         * Returns the id of the follower after {@code skipped} others, counted from {@code from} on;
         * {@link KeyRange#END} if there is none.
         */
        String find(String from, long skipped);
    }

    private FollowerCuts() {}

    /** Finds one cut after another. The database scans each follower once in the index, and returns only the cuts. */
    public static List<KeyRange> ranges(long followers, int parts, Finder finder) {
        List<KeyRange> ranges = new ArrayList<>();
        String from = KeyRange.ALL.from();
        long passed = 0;
        for (int part = 1; part < parts && !from.equals(KeyRange.END); part++) {
            long rank = followers * part / parts;
            String cut = rank == passed ? from : finder.find(from, rank - passed);
            if (!cut.equals(from)) {
                ranges.add(new KeyRange(from, cut));
            }
            passed = rank;
            from = cut;
        }
        if (!from.equals(KeyRange.END)) {
            ranges.add(new KeyRange(from, KeyRange.END));
        }
        return Collections.unmodifiableList(ranges);
    }
}
