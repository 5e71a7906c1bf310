package io.feedkit.bench;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs suites and prints their figures. */
@Command(
        name = "feedkit-bench",
        mixinStandardHelpOptions = true,
        description = "Measures FeedKit against baselines of the same run, and prints a line for each figure.",
        footer = {
            "",
            "'jmh [options]' runs the JMH benchmarks instead; 'jmh -h' lists JMH's options, 'jmh -l' the benchmarks."
        })
final class Bench implements Callable<Integer> {

    private static final int MISSED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SUITE",
            arity = "1..*",
            description = "What to measure: core, jdbc, redis, unread, scale, brokers, live, production, copies,"
                    + " microblog.")
    private List<String> suites = List.of();

    @Option(names = "--only", paramLabel = "TEXT", description = "Only measurements whose names contain this.")
    private String only = "";

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of value and baseline; medians are printed.")
    private @Nullable Integer rounds;

    @Option(
            names = "--followers",
            paramLabel = "N",
            description =
                    "Followers of the author with very many. jdbc, redis, live, production, copies and microblog use a part"
                            + " of them, and scale other numbers.")
    private @Nullable Integer followers;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "An empty PostgreSQL database for the suite jdbc, which starts its own server without this option.")
    private @Nullable String url;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Holds higgs-follows.txt.gz and higgs-posts.txt.gz, which the suites redis and production"
                    + " replay.")
    private @Nullable Path data;

    @Option(
            names = "--quick",
            description = "A quick run of about a minute: fewer and shorter rounds, a tenth of the followers.")
    private boolean quick;

    @Option(names = "--strict", description = "Exit with 1 if a figure misses its target.")
    private boolean strict;

    @Override
    public Integer call() {
        Suites register = register();
        Set<Suite> chosen = new LinkedHashSet<>();
        for (String name : suites) {
            chosen.add(register.named(name)
                    .orElseThrow(() -> invalid("SUITE must be one of " + register.names() + ", but is " + name)));
        }
        Scale scale = scale();
        Report report = new Report(spec.commandLine().getOut());
        report.header(scale);
        for (Suite suite : chosen) {
            report.title(suite);
            for (Measurement measurement : suite.measurements()) {
                if (measurement.name().contains(only)) {
                    run(measurement, scale, report);
                }
            }
        }
        report.close();
        return strict && report.missed() > 0 ? MISSED : 0;
    }

    private static void run(Measurement measurement, Scale scale, Report report) {
        Optional<String> lacking = measurement.lacks();
        if (lacking.isPresent()) {
            report.leftOut(measurement, lacking.get());
        } else {
            measurement.measure(scale).forEach(report::print);
        }
    }

    private Suites register() {
        try {
            return new Suites(Optional.ofNullable(url), Optional.ofNullable(data));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Scale scale() {
        Scale scale = quick ? Scale.QUICK : Scale.FULL;
        try {
            scale = rounds == null ? scale : scale.withRounds(rounds);
            return followers == null ? scale : scale.withFollowers(followers);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
