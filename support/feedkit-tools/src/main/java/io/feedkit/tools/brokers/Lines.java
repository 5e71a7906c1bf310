package io.feedkit.tools.brokers;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Prints lines without a delay, so that another process can read them. */
final class Lines {

    /** The line that each process prints when it has started. */
    static final String READY = "ready";

    private Lines() {}

    static void print(CommandSpec spec, String line) {
        PrintWriter out = spec.commandLine().getOut();
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }
}
