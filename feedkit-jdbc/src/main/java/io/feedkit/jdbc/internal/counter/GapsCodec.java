package io.feedkit.jdbc.internal.counter;

import static java.util.stream.Collectors.joining;

import io.feedkit.spi.counter.Gaps;
import io.feedkit.spi.counter.Gaps.Gap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes gaps as text: the end and the amount of each, in base 36. An empty list is encoded as null. */
final class GapsCodec {

    private static final int RADIX = 36;
    private static final String BETWEEN = ",";
    private static final String INSIDE = ":";

    private GapsCodec() {}

    static Gaps gaps(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Gaps.NONE;
        }
        return new Gaps(Arrays.stream(text.split(BETWEEN, -1))
                .map(gap -> gap.split(INSIDE, -1))
                .map(parts -> new Gap(Long.parseLong(parts[0], RADIX), Long.parseLong(parts[1], RADIX)))
                .toList());
    }

    static @Nullable String text(Gaps gaps) {
        return gaps.all().isEmpty()
                ? null
                : gaps.all().stream()
                        .map(gap -> Long.toString(gap.end(), RADIX) + INSIDE + Long.toString(gap.amount(), RADIX))
                        .collect(joining(BETWEEN));
    }
}
