package io.feedkit.tools.counters;

import io.feedkit.tools.input.InputLine;
import io.feedkit.tools.input.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An operation of a trace.
 *
 * @param millis the time in milliseconds
 * @param name the name of the operation
 * @param arguments the arguments. Their number is checked, and their values are not
 */
record Operation(long millis, String name, List<String> arguments) {

    private record Count(int least, int most) {}

    private static final Map<String, Count> ARGUMENTS = Map.ofEntries(
            takes("inc", 3, 4),
            takes("incall", 3, 4),
            takes("clear", 2, 2),
            takes("clearall", 1, 1),
            takes("peek", 3, 3),
            takes("clearseen", 1, 1),
            takes("retract", 3, 3),
            takes("join", 2, 2),
            takes("leave", 2, 2),
            takes("msg", 2, 2),
            takes("read", 3, 3),
            takes("readall", 2, 2),
            takes("unsend", 2, 2),
            takes("notice", 2, 2),
            takes("withdraw", 1, 1),
            takes("enter", 1, 1),
            takes("saw", 1, 1),
            takes("light", 1, 1),
            takes("lightfor", 2, 2),
            takes("douse", 1, 1),
            takes("tap", 2, 3),
            takes("like", 2, 2),
            takes("unlike", 2, 2),
            takes("view", 2, 2),
            takes("add", 3, 4),
            takes("drop", 1, 1),
            takes("forget", 1, 1),
            takes("flush", 0, 0),
            takes("lose", 0, 0));

    private static Map.Entry<String, Count> takes(String operation, int least, int most) {
        return Map.entry(operation, new Count(least, most));
    }

    static Operation parse(InputLine line, String millis, List<String> rest) {
        if (!millis.matches("[0-9]{1,18}")) {
            throw line.wrong("must begin with a time (a decimal integer), user, window or sync");
        }
        if (rest.isEmpty()) {
            throw line.wrong("operation is missing");
        }
        String name = rest.get(0);
        Count count = ARGUMENTS.get(name);
        if (count == null) {
            throw line.wrong("operation " + Quoted.of(name) + " is unknown");
        }
        List<String> arguments = List.copyOf(rest.subList(1, rest.size()));
        if (arguments.size() < count.least || arguments.size() > count.most) {
            throw line.wrong(name + " must have " + count.least
                    + (count.most == count.least ? "" : " or " + count.most) + " arguments, but has "
                    + arguments.size());
        }
        return new Operation(Long.parseLong(millis), name, arguments);
    }

    String argument(int index) {
        return arguments.get(index);
    }

    /** An argument as a number. Any other text is refused like a number that is out of range. */
    long number(int index) {
        String number = arguments.get(index);
        if (!number.matches("-?[0-9]{1,19}")) {
            throw new NumberFormatException(number);
        }
        return Long.parseLong(number);
    }

    List<String> list(int index) {
        return new ArrayList<>(Arrays.asList(arguments.get(index).split(",", -1)));
    }

    boolean has(int index) {
        return arguments.size() > index;
    }
}
