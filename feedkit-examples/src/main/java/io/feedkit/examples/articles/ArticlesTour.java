package io.feedkit.examples.articles;

import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import java.io.PrintWriter;

/** Runs the steps of the example, and prints their results. */
final class ArticlesTour {

    private static final String ANN = "ann";
    private static final String BEN = "ben";

    private final PrintWriter out;
    private final String place;
    private int steps;

    /**
     * Prepares the tour.
     *
     * @param out receives the text
     * @param place a sentence about the database
     */
    ArticlesTour(PrintWriter out, String place) {
        this.out = out;
        this.place = place;
    }

    /** Publishes with and without success, reads, and leaves work unfinished. */
    void first(Magazine magazine) {
        begin(magazine);
        commit(magazine);
        rollBack(magazine);
        read(magazine);
        leaveUnfinished(magazine);
    }

    private void begin(Magazine magazine) {
        say("A magazine stores its articles in its own table. FeedKit's tables are in the same");
        say("database. " + place);
        step("Follow: Ann follows Ben, and opens her feed. It is empty.");
        magazine.feed().follow(ANN, BEN);
        showFeed(magazine);
    }

    private void commit(Magazine magazine) {
        step("Publish: the magazine inserts a row, publishes the post, and commits once.");
        magazine.publish(BEN, "a1", "How feeds work", () -> {});
        showCounts(magazine);
    }

    private void rollBack(Magazine magazine) {
        step("Roll back: Ben publishes again, but something fails before the commit.");
        try {
            magazine.publish(BEN, "a2", "Half an article", () -> {
                throw new IllegalStateException("the picture is missing");
            });
        } catch (IllegalStateException e) {
            say("The transaction was rolled back: " + e.getMessage() + ".");
        }
        showCounts(magazine);
        say("Neither the row nor the post was stored.");
    }

    private void read(Magazine magazine) {
        step("Read: the post is pushed to Ann's inbox. Titles come from the magazine's table.");
        magazine.feed().fanout().drain();
        FeedPage<String> page = showFeed(magazine);
        magazine.feed().markSeen(ANN, page.newer());
        say("Ann has seen it all. Unread: " + magazine.feed().unread(ANN).count());
    }

    private void leaveUnfinished(Magazine magazine) {
        step("Stop: Ben publishes again, and the program stops before the post is pushed.");
        magazine.publish(BEN, "a3", "How feeds survive", () -> {});
        showCounts(magazine);
        showTasks(magazine);
    }

    /** Continues after a restart. */
    void second(Magazine magazine) {
        step("Restart: the program starts again, with the same database.");
        showTasks(magazine);
        say("It continues the unfinished work.");
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
        out.println();
        out.println(steps + ". " + title);
    }

    private void say(String text) {
        out.println("   " + text);
    }
}
