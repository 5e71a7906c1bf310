package io.feedkit.tools;

import io.feedkit.FeedKitException;
import io.feedkit.tools.brokers.BrokersCommand;
import io.feedkit.tools.counters.CountersCommand;
import io.feedkit.tools.inspect.InspectCommand;
import io.feedkit.tools.migrate.MigrateCommand;
import io.feedkit.tools.migrate.MoveFollowersCommand;
import io.feedkit.tools.replay.ReplayCommand;
import io.lettuce.core.RedisException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the tools. */
@Command(
        name = "feedkit-tools",
        headerHeading = "Example: java -jar feedkit-tools.jar replay --help%n%n",
        description = "Tools for FeedKit: replay recorded data, inspect Redis, and demonstrate brokers and migrations.",
        subcommands = {
            InspectCommand.class,
            ReplayCommand.class,
            MigrateCommand.class,
            MoveFollowersCommand.class,
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
     * Runs one command and exits with its code: 0 for success, 1 for a failure such as an unreachable server, 2 for
     * wrong usage.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command line, for callers that set their own streams. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler(Main::refuse);
    }

    private static int refuse(ParameterException problem, String[] args) {
        CommandLine command = problem.getCommandLine();
        command.getErr().println(problem.getMessage());
        if (problem.getCause() instanceof FeedKitException || problem.getCause() instanceof RedisException) {
            return ExitCode.SOFTWARE;
        }
        UnmatchedArgumentException.printSuggestions(problem, command.getErr());
        command.getErr().println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
