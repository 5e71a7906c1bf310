package io.feedkit.tools.inspect;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.tools.application.ApplicationOptions;
import io.feedkit.tools.application.ApplicationOptions.OpenEngine;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that asks an engine on the application's store. The engine has no workers, and the command only reads. */
abstract class EngineCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Mixin
    private final ApplicationOptions options = new ApplicationOptions();

    /** Asks the engine, and prints the answer. */
    abstract void print(FeedEngine engine, PrintWriter out);

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (OpenEngine opened = options.open("inspect")) {
            print(opened.engine(), out);
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            out.flush();
        }
    }
}
