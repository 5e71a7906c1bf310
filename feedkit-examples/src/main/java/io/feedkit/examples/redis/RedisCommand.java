package io.feedkit.examples.redis;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The third example: an engine on Redis. {@link #feed} has all the code. */
@Command(
        name = "redis",
        headerHeading = "Example: feedkit-examples redis --uri redis://127.0.0.1:6379%n%n",
        description = "Publishes and reads posts on a Redis server. The data stays there for inspect.")
public final class RedisCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "Address of the server, or redis-sentinel:// or redis-cluster:// with several hosts "
                    + "(default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets the default
    private String uri;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            description = "Prefix of the keys (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String prefix;

    private int steps;

    @Override
    public void run() {
        try {
            feed();
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void feed() {
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(uri))
                        .prefix(prefix)
                        .build();
                FeedEngine feed = FeedEngine.builder(store)
                        .policy(FanoutPolicy.hybrid(10_000))
                        .build()) {
            say("FeedKit stores everything on the Redis server: posts, follows, inboxes and tasks.");
            step("Follow: Ann follows Ben and Cleo, and opens her feed.");
            feed.follow("ann", "ben");
            feed.follow("ann", "cleo");
            feed.read("ann", PageRequest.first(20));
            say("This read creates her inbox. From now on, posts are pushed to it.");

            step("Publish: Ben posts 101 and 103, Cleo posts 102.");
            feed.publish("ben", "101");
            feed.publish("cleo", "102");
            feed.publish("ben", "103");
            feed.fanout().drain();
            say("Workers push every post in the background. The example waits for them.");

            step("Read: Ann opens her feed again.");
            feed.read("ann", PageRequest.first(20)).items().forEach(post -> say(post.author() + "/" + post.id()));

            step("Unread: how many posts has Ann not seen yet?");
            say("unread: " + feed.unread("ann").count());

            step("Inspect: the data stays on the server. Show it with feedkit-tools and the same --uri:");
            for (String view : List.of("reader ann", "author ben", "log", "register")) {
                say("inspect --prefix " + prefix + " " + view);
            }
        }
        spec.commandLine().getOut().flush();
    }

    private void step(String title) {
        steps++;
        spec.commandLine().getOut().println();
        spec.commandLine().getOut().println(steps + ". " + title);
    }

    private void say(String text) {
        spec.commandLine().getOut().println("   " + text);
    }
}
