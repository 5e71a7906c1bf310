package io.feedkit.examples;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The first example: how an application uses feeds, with an engine in memory. */
@Command(name = "quickstart", description = "Shows what FeedKit does, step by step, with a store in memory.")
final class Quickstart implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    private int steps;

    @Override
    public void run() {
        say("FeedKit keeps home feeds: the posts of all authors whom a reader follows, newest");
        say("first. It stores the author, id and time of each post. Texts and pictures stay in");
        say("the application. Here FeedKit runs in this program, and stores all data in memory.");
        try (FeedEngine feed = FeedEngine.inMemory().build()) {
            publish(feed);
            read(feed);
            countUnread(feed);
            delete(feed);
            followAndUnfollow(feed);
            changePolicy(feed);
        }
        out().flush();
    }

    private void publish(FeedEngine feed) {
        step("Publish: Ann follows Ben and Cleo, and they post.");
        feed.follow("ann", "ben");
        feed.follow("ann", "cleo");
        feed.publish("ben", "101");
        feed.publish("cleo", "102");
        feed.publish("ben", "103");
        feed.publish("cleo", "104");
        feed.publish("ben", "105");
        say("Ben posts 101, 103 and 105. Cleo posts 102 and 104. Workers push every post to the");
        say("inboxes of the author's followers, in the background. The example waits for them.");
        feed.fanout().drain();
    }

    private void read(FeedEngine feed) {
        step("Read: Ann opens the app, and scrolls down, two posts a page.");
        FeedPage<Post> first = feed.read("ann", PageRequest.first(2));
        show("newest page", first.items());

        FeedPage<Post> page = first;
        while (page.older().isPresent()) {
            String link = page.older().get().toString(); // a short text that a client sends back
            page = feed.read("ann", PageRequest.older(Cursor.parse(link), 2));
            show("older page", page.items());
        }
        say("This is the end of the feed: only the last page has no cursor to an older page.");

        feed.publish("cleo", "106");
        feed.fanout().drain();
        say("Cleo posts 106. Ann asks for the posts that are newer than her newest page:");
        show("newer page", feed.read("ann", PageRequest.newer(first.newer(), 2)).items());
    }

    private void countUnread(FeedEngine feed) {
        step("Unread: how many posts has Ann not seen yet?");
        say("unread: " + feed.unread("ann").count());
        feed.markSeen("ann", feed.read("ann", PageRequest.first(20)).newer());
        say("unread after Ann has seen them: " + feed.unread("ann").count());
        feed.publish("ben", "107");
        feed.fanout().drain();
        say("unread after Ben posts 107: " + feed.unread("ann").count());
    }

    private void delete(FeedEngine feed) {
        step("Delete: Ben deletes 105.");
        show("before", annsFeed(feed));
        feed.delete("ben", "105");
        show("after", annsFeed(feed));
        say("It is gone for good. Publishing it again returns "
                + feed.publish("ben", "105").status() + ".");
    }

    private void followAndUnfollow(FeedEngine feed) {
        step("Follow and unfollow: Dora has posted 108 and 109, and nobody follows her yet.");
        feed.publish("dora", "108");
        feed.publish("dora", "109");
        feed.follow("ann", "dora");
        say("Ann follows Dora: Dora's old posts are in the feed at once.");
        show("with Dora", annsFeed(feed));
        feed.unfollow("ann", "cleo");
        say("Ann unfollows Cleo: Cleo's posts are gone at once.");
        show("without Cleo", annsFeed(feed));
    }

    private void changePolicy(FeedEngine feed) {
        step("Change the policy: from push to pull, while the application runs.");
        List<Post> before = annsFeed(feed);
        feed.usePolicy(FanoutPolicy.pull());
        List<Post> after = annsFeed(feed);
        show("under push", before);
        show("under pull", after);
        say(before.equals(after) ? "The feed is the same." : "The feed has changed!");
        feed.publish("dora", "110");
        say("Dora posts 110. It is not pushed. It is fetched when Ann reads:");
        show("110 was pulled", annsFeed(feed));
        feed.usePolicy(FanoutPolicy.hybrid(10_000));
        feed.publish("ben", "111");
        feed.fanout().drain();
        say("A hybrid policy pushes again, except for authors with 10,000 followers or more:");
        show("111 was pushed", annsFeed(feed));
        say("The policy changes the cost of posts and reads, but never the feed.");
    }

    private static List<Post> annsFeed(FeedEngine feed) {
        return feed.read("ann", PageRequest.first(20)).items();
    }

    private void step(String title) {
        steps++;
        out().println();
        out().println(steps + ". " + title);
    }

    private void say(String text) {
        out().println("   " + text);
    }

    private void show(String label, List<Post> posts) {
        StringBuilder line = new StringBuilder(String.format("     %-15s", label));
        posts.forEach(post -> line.append(' ').append(post.author()).append('/').append(post.id()));
        out().println(line);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
