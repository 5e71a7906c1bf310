package io.feedkit.examples;

import io.feedkit.examples.articles.ArticlesCommand;
import io.feedkit.examples.brokers.BrokersCommand;
import io.feedkit.examples.counters.CountersCommand;
import io.feedkit.examples.redis.InspectCommand;
import io.feedkit.examples.redis.RedisCommand;
import io.feedkit.examples.replay.ReplayCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of the examples. */
@Command(
        name = "feedkit-examples",
        description = "Runs FeedKit's examples.",
        subcommands = {
            Quickstart.class,
            ArticlesCommand.class,
            RedisCommand.class,
            InspectCommand.class,
            ReplayCommand.class,
            CountersCommand.class,
            BrokersCommand.class
        })
public final class Main implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    private Main() {}

    /**
     * Runs one command and exits with its code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, for callers that bring their own streams. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler(Main::refuse);
    }

    private static int refuse(ParameterException problem, String[] args) {
        CommandLine command = problem.getCommandLine();
        command.getErr().println(problem.getMessage());
        command.getErr().println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
