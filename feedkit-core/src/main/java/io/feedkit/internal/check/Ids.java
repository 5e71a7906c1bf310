package io.feedkit.internal.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The rule for user ids and post ids, in one place: 1 to {@value #MAX_LENGTH} visible ASCII characters. */
public final class Ids {

    /** The longest id, in characters. */
    public static final int MAX_LENGTH = 64;

    private Ids() {}

    /**
     * Returns the id if it is legal.
     *
     * @param name the name of the argument, for the message
     * @param id the id
     * @return the same id
     * @throws IllegalArgumentException if the id is null, empty, too long, or holds anything but visible ASCII; the
     *     message names argument and value (shortened, and with control characters escaped)
     */
    public static String require(String name, String id) {
        int length = Arguments.nonNull(name, id).length();
        if (length == 0) {
            throw new IllegalArgumentException(name + " must not be empty");
        }
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(name + " must have at most " + MAX_LENGTH + " characters, but has "
                    + length + ": " + printable(id));
        }
        for (int i = 0; i < length; i++) {
            char c = id.charAt(i);
            if (c < '!' || c > '~') {
                throw new IllegalArgumentException(name + " must consist of visible ASCII characters, but character "
                        + i + " is U+" + String.format("%04X", (int) c) + ": " + printable(id));
            }
        }
        return id;
    }

    /**
     * Copies ids if all of them are legal.
     *
     * @param name the name of one of them, for the message
     * @param names the name of the argument
     * @param ids the ids
     * @return a copy that does not change
     * @throws IllegalArgumentException if the ids are null, or one of them is not legal
     */
    public static List<String> requireAll(String name, String names, Collection<String> ids) {
        return Arguments.nonNull(names, ids).stream()
                .map(id -> require(name, id))
                .toList();
    }

    /**
     * Copies ids if all of them are legal, as {@link #requireAll} does, and names an illegal one by its index.
     *
     * @param names the name of the argument
     * @param ids the ids
     * @return a copy that does not change
     * @throws IllegalArgumentException if the ids are null, or one of them is not legal
     */
    public static List<String> requireEach(String names, Collection<String> ids) {
        List<String> copy = new ArrayList<>(Arguments.nonNull(names, ids));
        for (int i = 0; i < copy.size(); i++) {
            require(names + "[" + i + "]", copy.get(i));
        }
        return Collections.unmodifiableList(copy);
    }

    /**
     * Makes any input fit for a message: at most {@value #MAX_LENGTH} characters, everything but visible ASCII escaped.
     *
     * @param value any text
     * @return a short printable form, in double quotes
     */
    public static String printable(String value) {
        StringBuilder text = new StringBuilder("\"");
        int shown = Math.min(value.length(), MAX_LENGTH);
        for (int i = 0; i < shown; i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~') {
                text.append(String.format("\\u%04X", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append(shown < value.length() ? "...\"" : "\"").toString();
    }
}
