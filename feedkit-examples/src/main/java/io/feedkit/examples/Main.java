package io.feedkit.examples;

import me.tongfei.progressbar.ProgressBar;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line of the examples. */
@Command(name = "feedkit-examples", description = "Runs FeedKit's examples.", mixinStandardHelpOptions = true)
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    private Main() {}

    /**
     * Runs one command and exits with its code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(description = "Times a few rounds.")
    void quickstart() {
        var nanos = new Histogram(3);
        for (var start : ProgressBar.wrap(java.util.List.of(1, 2, 3), "rounds")) {
            nanos.recordValue(start);
        }
        spec.commandLine().getOut().printf("%d rounds%n", nanos.getTotalCount());
    }
}
