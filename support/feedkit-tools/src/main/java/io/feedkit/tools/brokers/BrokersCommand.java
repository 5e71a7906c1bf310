package io.feedkit.tools.brokers;

import io.feedkit.tools.servers.RunKeys;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The demonstration: starts each part as a process, kills a worker, and checks every feed. */
@Command(
        name = "brokers",
        sortOptions = false,
        usageHelpWidth = 100,
        headerHeading = "Example: feedkit-tools brokers --queue kafka://127.0.0.1:9092 \\%n"
                + "           --database 'jdbc:postgresql://127.0.0.1/feed?user=postgres'%n%n",
        description = {
            "Demonstrates fan-out through RabbitMQ or Kafka. A publisher, a relay, workers and a consumer of events "
                    + "run as separate processes. A celebrity publishes a post, one worker is killed during the "
                    + "fan-out, and the other workers finish its work. Then the feed of every follower is checked.",
            "To run each part in its own terminal: prepare, then relay, worker (any number), consumer and publisher, "
                    + "then check and remove."
        },
        footer = {
            "",
            "The exit code is 0 if every follower has the post exactly once and the consumer received its event, 1 if "
                    + "not, and 2 if an option or a server cannot be used."
        },
        subcommands = {
            PrepareCommand.class,
            PublisherCommand.class,
            RelayCommand.class,
            WorkerCommand.class,
            ConsumerCommand.class,
            CheckCommand.class,
            RemoveCommand.class
        })
public final class BrokersCommand implements Callable<Integer> {

    private static final int MOST_WORKERS = 16;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Mixin
    private final Followers followers = new Followers();

    @Option(
            names = "--workers",
            defaultValue = "3",
            paramLabel = "N",
            description = "Worker processes; one of them is killed (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--limit",
            defaultValue = "120",
            paramLabel = "SECONDS",
            description = "Time limit of the fan-out (default: ${DEFAULT-VALUE}).")
    private int limitSeconds;

    @Override
    public Integer call() {
        place.check();
        requireBetween("workers", workers, 2, MOST_WORKERS);
        requireBetween("limit", limitSeconds, 1, Integer.MAX_VALUE);
        if (spec.commandLine().getParseResult().matchedOption("--run") == null) {
            place.setRun(RunKeys.random("brokers"));
        }
        int number = followers.number();
        Preparation preparation = new Preparation(place);
        preparation.makeEmpty();
        try {
            return new Demonstration(spec, place, number, workers, limitSeconds).run(preparation)
                    ? ExitCode.OK
                    : ExitCode.SOFTWARE;
        } finally {
            preparation.remove();
        }
    }

    private void requireBetween(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be between " + least + " and " + most + ", but is " + value);
        }
    }
}
