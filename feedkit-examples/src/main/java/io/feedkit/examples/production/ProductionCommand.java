package io.feedkit.examples.production;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The fourth example: posts in SQL, inboxes in Redis, old posts archived. {@link ProductionFeed} has the wiring. */
@Command(
        name = "production",
        headerHeading = "Example: feedkit-examples production --jdbc jdbc:postgresql://127.0.0.1/shop%n%n",
        description = "Publishes and reads posts that are in SQL, through inboxes in Redis. The data stays there.")
public final class ProductionCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            defaultValue = "jdbc:h2:mem:production",
            description = "JDBC URL of the database, with user and password (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets the default
    private String jdbc;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "Address of Redis (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String redis;

    @Option(
            names = "--archive",
            paramLabel = "URL",
            description = "JDBC URL of the database for posts older than 30 days (default: that of --jdbc).")
    private @Nullable String archive;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "example",
            description = "Prefix of tables and keys (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String prefix;

    /** For the command line. */
    public ProductionCommand() {}

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (ProductionFeed production = new ProductionFeed(jdbc, redis, archive == null ? jdbc : archive, prefix)) {
            production.describe().forEach(out::println);
            FeedEngine feed = production.feed();
            feed.follow("ann", "ben");
            feed.read("ann", PageRequest.first(20)); // builds her inbox
            feed.publish("ben", "101");
            feed.fanout().drain();
            feed.read("ann", PageRequest.first(20))
                    .items()
                    .forEach(post -> out.println("ann reads " + post.author() + "/" + post.id()));
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        out.flush();
    }
}
