package io.feedkit.tools.brokers;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks the feeds of all followers. */
@Command(
        name = "check",
        sortOptions = false,
        description = "Reads the feeds of all followers. The exit code is 0 if each has the post exactly once, else 1.")
final class CheckCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final Place place = new Place();

    @Override
    public Integer call() {
        place.check();
        FeedCheck.Result result = FeedCheck.run(place);
        result.lines().forEach(line -> Lines.print(spec, line));
        return result.isRight() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
