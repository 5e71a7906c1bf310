package io.feedkit.tools.input;

/** A text in double quotes: at most 64 characters, with all but visible ASCII and spaces escaped. */
public final class Quoted {

    private static final int LONGEST = 64;

    private Quoted() {}

    /** Quotes a text for a message. */
    public static String of(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.chars()
                .limit(LONGEST)
                .mapToObj(c -> c < ' ' || c > '~' ? String.format("\\u%04X", c) : Character.toString(c))
                .forEach(text::append);
        return text.append(value.length() > LONGEST ? "...\"" : "\"").toString();
    }
}
