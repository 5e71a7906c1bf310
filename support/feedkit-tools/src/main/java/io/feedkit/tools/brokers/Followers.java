package io.feedkit.tools.brokers;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The number of the celebrity's followers. */
final class Followers {

    private static final int MOST = 5_000_000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--followers",
            defaultValue = "10000",
            paramLabel = "N",
            description = "Followers of the celebrity, all with live inboxes (default: ${DEFAULT-VALUE}).")
    private int number;

    int number() {
        if (number < 1 || number > MOST) {
            throw new ParameterException(
                    spec.commandLine(), "followers must be between 1 and " + MOST + ", but is " + number);
        }
        return number;
    }
}
