package io.feedkit.examples.articles;

import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The second example: an application that publishes in its own transactions, and whose feeds survive a restart. */
@Command(
        name = "articles",
        description = "Shows feeds beside an application's own table in a SQL database, and a restart.")
public final class ArticlesCommand implements Runnable {

    private static final String ANN = "ann";
    private static final String BEN = "ben";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "JDBC URL of an H2, PostgreSQL, MySQL or MariaDB database. The example creates tables of its own"
                            + " there, and drops them at the end (default: a temporary H2 file).")
    private Optional<String> url = Optional.empty();

    private int steps;

    @Override
    public void run() {
        String prefix = "articles_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()) + "_";
        try (TemporaryFile file = TemporaryFile.create()) {
            String address = url.orElse(file.url());
            try (Magazine magazine = open(address, prefix)) {
                begin(magazine);
                commit(magazine);
                rollBack(magazine);
                read(magazine);
                leaveUnfinished(magazine);
            }
            Magazine magazine = open(address, prefix);
            try {
                readAgain(magazine);
            } finally {
                magazine.discard();
            }
        }
        out().flush();
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

    private void begin(Magazine magazine) {
        say("A magazine keeps its articles in a table of its own. FeedKit's tables are beside it,");
        say(url.isPresent() ? "in the database you named." : "in an H2 file. No server is needed.");
        step("Ann follows Ben, and opens her feed. It is empty.");
        magazine.feed().follow(ANN, BEN);
        showFeed(magazine);
    }

    private void commit(Magazine magazine) {
        step("Ben publishes. The magazine inserts its row, publishes, and commits once.");
        magazine.publish(BEN, "a1", "How feeds work", () -> {});
        showCounts(magazine);
    }

    private void rollBack(Magazine magazine) {
        step("Ben publishes again, but something fails before the commit.");
        try {
            magazine.publish(BEN, "a2", "Half an article", () -> {
                throw new IllegalStateException("the picture is missing");
            });
        } catch (IllegalStateException e) {
            say("The transaction was rolled back: " + e.getMessage() + ".");
        }
        showCounts(magazine);
        say("Neither the row nor the post is there.");
    }

    private void read(Magazine magazine) {
        step("Posts are pushed into inboxes, and Ann reads. Titles come from the magazine's table.");
        magazine.feed().fanout().drain();
        FeedPage<String> page = showFeed(magazine);
        magazine.feed().markSeen(ANN, page.newer());
        say("Ann has seen it all. Unread: " + magazine.feed().unread(ANN).count());
    }

    private void leaveUnfinished(Magazine magazine) {
        step("Ben publishes again, and the program stops before the post was pushed.");
        magazine.publish(BEN, "a3", "How feeds survive", () -> {});
        showCounts(magazine);
        showTasks(magazine);
    }

    private void readAgain(Magazine magazine) {
        step("The program starts again on the same database.");
        showTasks(magazine);
        say("It continues where it stopped.");
        magazine.feed().fanout().drain();
        showTasks(magazine);
        showFeed(magazine);
        say("The feed and Ann's mark are still there. Unread: "
                + magazine.feed().unread(ANN).count());
    }

    private FeedPage<String> showFeed(Magazine magazine) {
        FeedPage<String> page = magazine.feed().read(ANN, PageRequest.first(20), magazine.articles()::titles);
        say("Ann's feed: " + (page.items().isEmpty() ? "nothing yet" : String.join(", ", page.items())));
        return page;
    }

    private void showCounts(Magazine magazine) {
        int posts =
                magazine.feed().readAuthor(BEN, PageRequest.first(20)).items().size();
        say("Rows in the magazine's table: " + magazine.articles().count() + ". Posts by Ben: " + posts + ".");
    }

    private void showTasks(Magazine magazine) {
        say("Posts still to be pushed: " + magazine.feed().fanout().backlog().tasks());
    }

    private void step(String title) {
        steps++;
        out().println();
        out().println(steps + ". " + title);
    }

    private void say(String text) {
        out().println("   " + text);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
