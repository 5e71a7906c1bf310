package io.feedkit.tools.migrate;

import io.feedkit.FeedEngine;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.input.InputException;
import io.feedkit.tools.replay.FeedStores;
import io.feedkit.tools.servers.RunKeys;
import io.feedkit.tools.servers.RunTables;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code migrate}. */
@Command(
        name = "migrate",
        sortOptions = false,
        usageHelpWidth = 100,
        headerHeading = "Example: feedkit-tools migrate --follows follows.txt --posts posts.txt --database jdbc:... "
                + "--redis redis://127.0.0.1:6379%n%n",
        description = "Builds a home-made feed from recorded data, moves it to FeedKit while new posts arrive in both, "
                + "compares a sample of feeds, and moves the readers to FeedKit and back. Prints counts and times. The "
                + "exit code is 1 if feeds differ.",
        footer = {
            "",
            "The old feed has a table of posts, a table of follows, and a sorted set in Redis for each reader.",
            "FeedKit has its inboxes in Redis and everything else in the database. Four fifths of the posts are",
            "in the old feed before. A tenth arrives in both during the import, and a tenth after the switch.",
            "The run creates its own tables and keys, and deletes them at the end."
        })
public final class MigrateCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 16;
    private static final int PULLED_FROM = 1000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it and the required options below
    private CommandSpec spec;

    @Option(
            names = "--follows",
            required = true,
            paramLabel = "FILE",
            description = "Who follows whom: one 'follower followee' per line, plain text or gzip.")
    @SuppressWarnings("NullAway.Init")
    private Path follows;

    @Option(
            names = "--posts",
            required = true,
            paramLabel = "FILE",
            description = "Posts: one 'epochSeconds author' per line, plain text or gzip.")
    @SuppressWarnings("NullAway.Init")
    private Path posts;

    @Option(names = "--database", required = true, paramLabel = "URL", description = "The JDBC URL of the database.")
    @SuppressWarnings("NullAway.Init")
    private String database;

    @Option(names = "--redis", required = true, paramLabel = "URL", description = "Redis, as redis://HOST:PORT.")
    @SuppressWarnings("NullAway.Init")
    private String redis;

    @Option(
            names = "--sample",
            defaultValue = "500",
            paramLabel = "N",
            description = "How many readers' feeds are compared and read (default: ${DEFAULT-VALUE}).")
    private int sample;

    @Option(
            names = "--kept",
            defaultValue = "800",
            paramLabel = "N",
            description = "How many posts the old feed keeps for each reader, at least " + Migration.COMPARED
                    + " (default: ${DEFAULT-VALUE}).")
    private int kept;

    @Override
    public Integer call() {
        if (sample < 1) {
            throw new ParameterException(spec.commandLine(), "sample must be at least 1, but is " + sample);
        }
        if (kept < Migration.COMPARED) {
            throw new ParameterException(
                    spec.commandLine(), "kept must be at least " + Migration.COMPARED + ", but is " + kept);
        }
        try {
            return migrate(RecordedFeed.read(follows, posts)) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (InputException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return ExitCode.USAGE;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int migrate(RecordedFeed recorded) {
        PrintWriter out = spec.commandLine().getOut();
        Consumer<String> print = line -> {
            out.println(line);
            out.flush();
        };
        RunKeys keys = RunKeys.at(redis, "old");
        try (RunTables tables = RunTables.create(database, "old", 2);
                OldFeed old = new OldFeed(
                        tables.dataSource(), tables.prefix(), redis, keys.prefix() + ":", kept, recorded.followers());
                FeedStores.OpenStore store = FeedStores.open(redis + "+" + database, Clock.systemUTC(), CONNECTIONS);
                FeedEngine feed = FeedEngine.builder(store.store())
                        .policy(FanoutPolicy.hybrid(PULLED_FROM))
                        .workers(2)
                        .build()) {
            return new Migration(recorded, old, feed, sample, print).run();
        } finally {
            keys.remove();
        }
    }
}
