package io.feedkit.tools.verify;

import io.feedkit.FeedKitException;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.tools.application.ApplicationOptions;
import io.feedkit.tools.application.ApplicationOptions.OpenEngine;
import io.feedkit.tools.input.DurationConverter;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code verify}. */
@Command(
        name = "verify",
        sortOptions = false,
        headerHeading =
                "Example: feedkit-tools verify --store redis://127.0.0.1+jdbc:postgresql://127.0.0.1/app --sample 0.01%n%n",
        description = "Compares the stored feeds of an application with the source of truth, while it runs.",
        footerHeading = "%nExit codes:%n",
        footer = {"  0  nothing was found", "  1  something was found, or the run failed", "  2  wrong usage"})
public final class VerifyCommand implements Callable<Integer> {

    private static final int FOUND = 1;
    private static final int MOST_COUNTS = 1000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it and recheckAfter
    private CommandSpec spec;

    @Mixin
    private final ApplicationOptions options = new ApplicationOptions();

    @Option(
            names = "--sample",
            defaultValue = "1",
            paramLabel = "SHARE",
            description = "Compare this share of all users, chosen at random: 0.01 for one in a hundred (default: "
                    + "${DEFAULT-VALUE}, everybody).")
    private double sample;

    @Option(
            names = "--rate",
            defaultValue = "" + VerifyRequest.DEFAULT_PER_SECOND,
            paramLabel = "N",
            description = "Readers, authors or users to compare in a second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--repair", description = "Repair what is found. Without it, feeds are only read.")
    private boolean repair;

    @Option(
            names = "--reactions",
            description = "Also compare the counts of reactions, which are in the database or, without one, in Redis. "
                    + "It stops at 1,000 wrong counts.")
    private boolean reactions;

    @Option(
            names = "--recheck-after",
            defaultValue = "30s",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description =
                    "A difference counts only if it is still there after this time (default: " + "${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Duration recheckAfter;

    @Option(
            names = "--show",
            defaultValue = "20",
            paramLabel = "N",
            description = "Largest number of findings to print (default: ${DEFAULT-VALUE}). All are counted.")
    private int show;

    @Override
    public Integer call() {
        VerifyReport report = verify();
        new PrintedReport(report, spec.commandLine().getOut()).print();
        boolean areCountsRight = !reactions || compareReactions();
        return report.isClean() && areCountsRight ? ExitCode.OK : FOUND;
    }

    private boolean compareReactions() {
        try {
            List<Repair> wrong = new ReactionCounts(options, MOST_COUNTS).wrong(repair);
            ReactionCounts.print(wrong, repair, spec.commandLine().getOut());
            return wrong.isEmpty();
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private VerifyReport verify() {
        try (OpenEngine opened = options.open("verify")) {
            return opened.engine().verify(request());
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private VerifyRequest request() {
        return VerifyRequest.sample(sample)
                .perSecond(rate)
                .repair(repair)
                .recheckAfter(recheckAfter)
                .keptFindings(show)
                .onProgress(new ProgressLines(spec.commandLine().getErr()));
    }
}
