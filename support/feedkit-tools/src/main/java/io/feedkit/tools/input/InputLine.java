package io.feedkit.tools.input;

/** A line with fields that are separated by single spaces. Each call takes the next field. */
public final class InputLine {

    private final InputFile file;
    private final long number;
    private final String text;
    private int next;

    InputLine(InputFile file, long number, String text) {
        this.file = file;
        this.number = number;
        this.text = text;
    }

    /** The whole line. */
    public String text() {
        return text;
    }

    /** The line number, starting at 1. */
    public long number() {
        return number;
    }

    /** Takes a decimal integer without a sign. Leading zeros are ignored. */
    public long integer(String name) {
        return integer(name, Long.MAX_VALUE);
    }

    /** As {@link #integer(String)}, but with an upper bound. */
    public long integer(String name, long most) {
        String field = field(name);
        long value = 0;
        for (int i = 0; i < field.length(); i++) {
            int digit = field.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw wrong(name + " must be a decimal integer, but is " + Quoted.of(field));
            }
            if (value > (most - digit) / 10) {
                throw wrong(name + " must be at most " + most + ", but is " + Quoted.of(field));
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** Takes a field as text. */
    public String field(String name) {
        if (next > text.length()) {
            throw wrong(name + " is missing");
        }
        int space = text.indexOf(' ', next);
        int end = space < 0 ? text.length() : space;
        if (end == next) {
            throw wrong(text.isEmpty() ? "is empty" : name + " is missing: fields are separated by single spaces");
        }
        String field = text.substring(next, end);
        next = end + 1;
        return field;
    }

    /** Checks that no field is left. */
    public void end() {
        if (next <= text.length()) {
            throw wrong("has too many fields: " + Quoted.of(text.substring(next)));
        }
    }

    /** Creates an exception about this line. */
    public InputException wrong(String problem) {
        return new InputException(file.path(), number, problem);
    }
}
