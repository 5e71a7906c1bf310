package io.feedkit.examples.articles;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The second example: an application publishes in its own transactions, and its feeds survive a restart. */
@Command(
        name = "articles",
        headerHeading = "Example: feedkit-examples articles --url jdbc:h2:./articles%n%n",
        description = "Shows feeds in the SQL database of an application, and a restart.")
public final class ArticlesCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "JDBC URL of an H2 or PostgreSQL database (MySQL or MariaDB with its driver on the class path)."
                            + " The example creates its own tables, and drops them at the end (default: a temporary"
                            + " H2 file).")
    private Optional<String> url = Optional.empty();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        ArticlesTour tour = new ArticlesTour(
                out, url.isPresent() ? "The database is that of --url." : "It is an H2 file. No server is needed.");
        String prefix = "articles_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()) + "_";
        try (TemporaryFile file = TemporaryFile.create()) {
            String address = url.orElse(file.url());
            try (Magazine magazine = open(address, prefix)) {
                tour.first(magazine);
            }
            Magazine magazine = open(address, prefix);
            try {
                tour.second(magazine);
            } finally {
                magazine.discard();
            }
        }
        out.flush();
    }

    private Magazine open(String address, String prefix) {
        try {
            return Magazine.open(address, prefix);
        } catch (FeedKitException | PoolInitializationException e) {
            throw new ParameterException(spec.commandLine(), "url cannot be reached: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new ParameterException(spec.commandLine(), "url cannot be used: " + e.getMessage());
        }
    }
}
