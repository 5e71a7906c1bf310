package io.feedkit.tools.inspect;

import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;

/** Shows the versions of the stored formats, and the sources of truth that the data belongs to. */
final class FormatView {

    private final Server server;
    private final PrintWriter out;

    FormatView(Server server, PrintWriter out) {
        this.server = server;
        this.out = out;
    }

    void print() {
        String key = server.ofPartition("format", 0);
        out.printf("format     %s%n", key);
        Map<String, String> fields = new TreeMap<>();
        server.hash(key).forEach((field, value) -> fields.put(Stored.text(field), Stored.text(value)));
        fields.forEach((field, value) -> out.printf("  %s %s%n", field, value));
    }
}
