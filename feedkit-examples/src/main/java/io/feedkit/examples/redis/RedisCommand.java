package io.feedkit.examples.redis;

import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** An engine on Redis. {@link #feed} shows everything that it needs. */
@Command(name = "redis", description = "Publishes and reads on a Redis server, and leaves the data there for inspect.")
public final class RedisCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "The server's address, or redis-sentinel:// or redis-cluster:// with several (default: "
                    + "${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets the default
    private String uri;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            description = "The prefix of the keys (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String prefix;

    @Override
    public void run() {
        try {
            feed(uri, prefix, spec.commandLine().getOut());
        } catch (IllegalArgumentException | FeedKitException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void feed(String uri, String prefix, PrintWriter out) {
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(uri))
                        .prefix(prefix)
                        .build();
                FeedEngine feed = FeedEngine.builder(store)
                        .policy(FanoutPolicy.hybrid(10_000))
                        .build()) {
            feed.follow("ann", "ben");
            feed.follow("ann", "cleo");
            feed.read("ann", PageRequest.first(20)); // from now on ann has an inbox, and posts are pushed to her
            feed.publish("ben", "101");
            feed.publish("cleo", "102");
            feed.publish("ben", "103");
            feed.fanout().drain();
            feed.read("ann", PageRequest.first(20))
                    .items()
                    .forEach(post -> out.println(post.author() + "/" + post.id()));
            out.println("unread: " + feed.unread("ann").count());
            out.println("Now try inspect --prefix " + prefix
                    + " reader ann, or author ben, log and register, with the same --uri.");
            out.flush();
        }
    }
}
