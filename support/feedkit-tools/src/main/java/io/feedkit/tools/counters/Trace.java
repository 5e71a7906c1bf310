package io.feedkit.tools.counters;

import io.feedkit.tools.input.InputFile;
import io.feedkit.tools.input.InputLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole trace, read before the first operation is applied.
 *
 * @param users the users, and the segments that the host passes for each
 * @param windowMillis the window of views
 * @param stretches the operations between sync lines. The operations of a stretch may be applied in any order
 */
record Trace(Map<String, List<String>> users, long windowMillis, List<List<Operation>> stretches) {

    static Trace read(Path file) {
        Reading reading = new Reading();
        new InputFile(file).forEach(reading::take);
        return new Trace(reading.users, reading.windowMillis, reading.stretches);
    }

    private static final class Reading {
        private final Map<String, List<String>> users = new LinkedHashMap<>();
        private final List<List<Operation>> stretches = new ArrayList<>(List.of(new ArrayList<>()));
        private long windowMillis;

        private void take(InputLine line) {
            String text = line.text();
            if (text.isEmpty() || text.startsWith("# ") || text.equals("#")) {
                return;
            }
            List<String> fields = List.of(text.split(" ", -1));
            String first = fields.get(0);
            switch (first) {
                case "user" -> user(line, fields);
                case "window" -> window(line, fields);
                case "sync" -> stretches.add(new ArrayList<>());
                default ->
                    stretches
                            .get(stretches.size() - 1)
                            .add(Operation.parse(line, first, fields.subList(1, fields.size())));
            }
        }

        private void user(InputLine line, List<String> fields) {
            if (fields.size() < 2 || fields.size() > 3) {
                throw line.wrong("user must have an id, and optionally segments");
            }
            users.put(fields.get(1), fields.size() == 3 ? List.of(fields.get(2).split(",")) : List.of());
        }

        private void window(InputLine line, List<String> fields) {
            if (fields.size() != 2 || !fields.get(1).matches("[0-9]{1,18}")) {
                throw line.wrong("window must have a number of milliseconds");
            }
            windowMillis = Long.parseLong(fields.get(1));
        }
    }
}
