package io.feedkit.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The command line, as a user calls it, with what it printed. */
public record Cli(int exitCode, String out, String err) {

    public static Cli run(List<?> args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine =
                Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exitCode = commandLine.execute(args.stream().map(Object::toString).toArray(String[]::new));
        return new Cli(exitCode, out.toString(), err.toString());
    }

    public static Cli run(Object... args) {
        return run(Stream.of(args).toList());
    }

    /** The value of a {@code key: value} line. */
    public String value(String key) {
        return out.lines()
                .filter(line -> line.startsWith(key + ": "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line " + key + " in:\n" + out + err))
                .substring(key.length() + 2);
    }
}
