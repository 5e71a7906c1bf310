package io.feedkit.bench;

import java.io.IOException;
import java.util.Arrays;
import picocli.CommandLine;

/** The command line: {@code jmh} passes the other arguments to JMH, anything else names the suites to run. */
public final class Main {

    private Main() {}

    /**
     * Runs the suites that the arguments name, and exits with their code.
     *
     * @param args suites and options, or {@code jmh} and JMH's own options
     * @throws IOException if JMH cannot read or write its files
     */
    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals("jmh")) {
            org.openjdk.jmh.Main.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench());
    }
}
