package io.feedkit.examples.microblog;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. What is not given is in {@code application.properties}. */
@Command(
        name = "microblog",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Starts a microblog on FeedKit, for clients of the Mastodon API, with a web page. It is an example.")
final class Start implements Runnable {

    /** What is there at the first start. */
    enum World {
        SMALL,
        HIGGS,
        NONE
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--world",
            defaultValue = "small",
            description = "small: invented accounts (the default). higgs: a recorded week of follows and posts, from"
                    + " --data. none: an empty server. Only a new database gets a world.")
    private World world = World.SMALL;

    @Option(names = "--data", description = "The directory of higgs-follows.txt.gz and higgs-posts.txt.gz.")
    private @Nullable Path data;

    @Option(names = "--quiet", description = "The invented accounts do not post by themselves.")
    private boolean quiet;

    @Option(names = "--port", description = "Where to listen on 127.0.0.1 (8080).")
    private @Nullable Integer port;

    @Option(names = "--database", description = "The file of the H2 database, without its ending.")
    private @Nullable Path database;

    @Option(
            names = "--profile",
            split = ",",
            description = "postgres: data in PostgreSQL. redis: inboxes in Redis. Both: postgres,redis.")
    private List<String> profiles = new ArrayList<>();

    @Override
    public void run() {
        if (world == World.HIGGS && data == null && spec != null) {
            throw new ParameterException(spec.commandLine(), "--world higgs needs --data DIR.");
        }
        List<String> properties = new ArrayList<>();
        properties.add("--microblog.world=" + world.name().toLowerCase(Locale.ROOT));
        properties.add("--microblog.quiet=" + quiet);
        add(properties, "microblog.data", data);
        add(properties, "server.port", port);
        add(properties, "microblog.database", database == null ? null : database.toAbsolutePath());
        if (!profiles.isEmpty()) {
            properties.add("--spring.profiles.active=" + String.join(",", profiles));
        }
        SpringApplication.run(Microblog.class, properties.toArray(String[]::new));
    }

    private static void add(List<String> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.add("--" + name + "=" + value);
        }
    }
}
