package io.feedkit.internal.live;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.signal.Signal;
import io.feedkit.internal.signal.Signal.By;
import io.feedkit.internal.signal.Signal.Changed;
import io.feedkit.internal.signal.Signal.Deleted;
import io.feedkit.internal.signal.Signal.Follows;
import io.feedkit.internal.signal.Signal.Marked;
import io.feedkit.internal.signal.Signal.Repaired;
import io.feedkit.internal.signal.Signal.Visible;
import io.feedkit.spi.KeyRange;

/**
 * The text of signals on a bus: a letter and the fields, with single spaces between them. Ids have no spaces. The ends
 * of a range begin with {@code =}, because the lower one may be empty.
 */
final class SignalCodec {

    private SignalCodec() {}

    static String text(Signal signal) {
        if (signal instanceof Visible visible) {
            Post post = visible.post();
            return "V " + post.publishedAt().toEpochMilli() + " " + post.id() + " " + post.author()
                    + range(visible.readers()) + " " + visible.by();
        }
        if (signal instanceof Changed changed) {
            return "C " + changed.author() + range(changed.readers()) + (changed.lost() ? " l" : " n");
        }
        if (signal instanceof Deleted deleted) {
            return "D " + deleted.key().id() + " " + deleted.key().author();
        }
        if (signal instanceof Follows follows) {
            return "F " + follows.reader();
        }
        if (signal instanceof Repaired repaired) {
            return "R " + repaired.reader();
        }
        return "M " + ((Marked) signal).reader();
    }

    private static String range(KeyRange range) {
        return " =" + range.from() + " =" + range.below();
    }

    /**
     * Reads the text of a signal.
     *
     * @throws IllegalArgumentException if the text is not that of a signal
     */
    static Signal parse(String text) {
        String[] fields = text.split(" ", -1);
        try {
            return switch (fields[0]) {
                case "V" ->
                    new Visible(
                            Post.of(fields[3], fields[2], Long.parseLong(fields[1])),
                            new KeyRange(end(fields[4]), end(fields[5])),
                            By.valueOf(fields[6]));
                case "C" ->
                    new Changed(fields[1], new KeyRange(end(fields[2]), end(fields[3])), is(fields[4], "l", "n"));
                case "D" -> new Deleted(new PostKey(fields[2], fields[1]));
                case "F" -> new Follows(fields[1]);
                case "R" -> new Repaired(fields[1]);
                case "M" -> new Marked(fields[1]);
                default -> throw new IllegalArgumentException(text);
            };
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String end(String field) {
        if (!field.startsWith("=")) {
            throw new IllegalArgumentException(field);
        }
        return field.substring(1);
    }

    private static boolean is(String field, String yes, String no) {
        if (!field.equals(yes) && !field.equals(no)) {
            throw new IllegalArgumentException(field);
        }
        return field.equals(yes);
    }
}
