package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The parts of a sequence that were taken back, as stretches of the sequence, in the order of their ends. An addition
 * covers the stretch from the count before it to the count after it. Stretches that meet become one.
 *
 * <p>At most {@value #MOST} stretches are kept. Beyond that, the second stretch is moved down to the end of the first
 * one. The number of unread items stays right, unless the mark is raised to a place between the two, even if that raise
 * is not written yet. In that case, the number may be too high.
 *
 * @param all the stretches
 * @since 0.1.0
 */
public record Gaps(List<Gap> all) {

    /** The most stretches of one sequence. */
    public static final int MOST = 64;

    /** Nothing was taken back. */
    public static final Gaps NONE = new Gaps(List.of());

    /**
     * A stretch of a sequence.
     *
     * @param end the count at its end
     * @param amount its length, at least 1
     */
    public record Gap(long end, long amount) {

        private boolean isBefore(Gap other) {
            return end == other.end - other.amount;
        }
    }

    /** Copies the list. */
    public Gaps {
        all = List.copyOf(Arguments.nonNull("all", all));
    }

    /**
     * Leaves out the stretches that end at or below a mark.
     *
     * @param mark the mark
     * @return the stretches that end above it
     */
    public Gaps above(long mark) {
        return all.isEmpty() || all.get(0).end() > mark
                ? this
                : new Gaps(all.stream().filter(gap -> gap.end() > mark).toList());
    }

    /**
     * Returns how much was taken back above a mark.
     *
     * @param mark the mark, at least 0
     * @return the sum of the stretches above it
     */
    public long sumAbove(long mark) {
        long sum = 0;
        for (Gap gap : all) {
            if (gap.end() > mark) {
                sum += Math.min(gap.amount(), gap.end() - mark);
            }
        }
        return sum;
    }

    /**
     * Adds a stretch. For stores.
     *
     * @param taken the stretch, which is not among these
     * @return these stretches with it
     */
    public Gaps with(Gap taken) {
        List<Gap> gaps = new ArrayList<>(all);
        Gap joined = taken;
        for (Gap gap : all) {
            if (gap.isBefore(joined)) {
                gaps.remove(gap);
                joined = new Gap(joined.end(), gap.amount() + joined.amount());
            } else if (joined.isBefore(gap)) {
                gaps.remove(gap);
                joined = new Gap(gap.end(), gap.amount() + joined.amount());
            }
        }
        gaps.add(joined);
        gaps.sort(Comparator.comparingLong(Gap::end));
        if (gaps.size() > MOST) {
            Gap first = gaps.remove(0);
            Gap second = gaps.remove(0);
            gaps.add(0, new Gap(first.end() + second.amount(), first.amount() + second.amount()));
        }
        return new Gaps(gaps);
    }
}
