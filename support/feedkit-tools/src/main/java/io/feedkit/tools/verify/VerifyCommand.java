package io.feedkit.tools.verify;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedKitException;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.tools.input.DurationConverter;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
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
    @SuppressWarnings("NullAway.Init") // picocli sets it and the options below
    private CommandSpec spec;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "STORE",
            description = "Where the feeds are stored: a JDBC URL, redis://HOST:PORT (also redis-sentinel:// and "
                    + "redis-cluster://), or redis://HOST:PORT+jdbc:... with inboxes in Redis and everything else in "
                    + "the database.")
    @SuppressWarnings("NullAway.Init")
    private String store;

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

    @Option(
            names = "--table-prefix",
            defaultValue = JdbcSchema.DEFAULT_PREFIX,
            paramLabel = "PREFIX",
            description = "Prefix of the tables (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String tablePrefix;

    @Option(
            names = "--key-prefix",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            paramLabel = "PREFIX",
            description = "Prefix of the keys in Redis (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String keyPrefix;

    @Option(
            names = "--cap",
            defaultValue = "" + FeedEngineBuilder.DEFAULT_CAP,
            paramLabel = "N",
            description = "The cap of the application's engines (default: ${DEFAULT-VALUE}).")
    private int cap;

    @Option(
            names = "--max-followees",
            defaultValue = "" + Integer.MAX_VALUE,
            paramLabel = "N",
            description = "The setting maxFollowees of the application's engines (default: no bound).")
    private int maxFollowees;

    @Option(names = "--own-posts", description = "The application's engines have the setting ownPosts.")
    private boolean ownPosts;

    @Override
    public Integer call() {
        VerifyReport report = verify();
        new PrintedReport(report, spec.commandLine().getOut()).print();
        boolean areCountsRight = !reactions || compareReactions();
        return report.isClean() && areCountsRight ? ExitCode.OK : FOUND;
    }

    private boolean compareReactions() {
        try {
            List<Repair> wrong = new ReactionCounts(tablePrefix, keyPrefix, MOST_COUNTS).wrong(store, repair);
            ReactionCounts.print(wrong, repair, spec.commandLine().getOut());
            return wrong.isEmpty();
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private VerifyReport verify() {
        try (ComposedStore opened = new VerifiedStore(tablePrefix, keyPrefix).open(store);
                FeedEngine engine = engine(opened)) {
            return engine.verify(request());
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** An engine without workers. It only compares, and repairs on request. */
    private FeedEngine engine(FeedStore opened) {
        return FeedEngine.builder(opened)
                .name("verify")
                .workers(0)
                .cap(cap)
                .ownPosts(ownPosts)
                .maxFollowees(maxFollowees)
                .build();
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
