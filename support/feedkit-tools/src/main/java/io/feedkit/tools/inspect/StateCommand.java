package io.feedkit.tools.inspect;

import io.feedkit.FeedEngine;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code inspect state}. */
@Command(
        name = "state",
        headerHeading = "Example: feedkit-tools inspect state --store"
                + " redis://127.0.0.1:6379+jdbc:postgresql://127.0.0.1/app ann%n%n",
        description = "The state of a reader's feed, as an engine sees it: inbox, followees, pulled authors, pending "
                + "follows and mark. On any store. It only reads.")
final class StateCommand extends EngineCommand {

    @Parameters(paramLabel = "READER", description = "The reader's user id.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private String reader;

    @Override
    void print(FeedEngine engine, PrintWriter out) {
        new StateReport(out).print(engine.inspect(reader));
    }
}
