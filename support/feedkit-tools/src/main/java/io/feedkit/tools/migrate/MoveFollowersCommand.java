package io.feedkit.tools.migrate;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.tools.replay.FeedStores;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code move-followers}. */
@Command(
        name = "move-followers",
        sortOptions = false,
        usageHelpWidth = 100,
        headerHeading = "Example: feedkit-tools move-followers --store jdbc:... --followers 2000%n%n",
        description = "Moves the followers of an author to another author, one by one and in one call, and prints the "
                + "times. All followers have an inbox, and each author has 100 posts.")
public final class MoveFollowersCommand implements Callable<Integer> {

    private static final int THREADS = 2;
    private static final int POSTS = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it and the required options below
    private CommandSpec spec;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "STORE",
            description = "Where feeds are stored, as for replay. The run creates its own tables and keys, and deletes "
                    + "them at the end.")
    @SuppressWarnings("NullAway.Init")
    private String store;

    @Option(
            names = "--followers",
            defaultValue = "2000",
            paramLabel = "N",
            description = "How many followers the author has (default: ${DEFAULT-VALUE}).")
    private int followers;

    @Override
    public Integer call() {
        if (followers < 1) {
            throw new ParameterException(spec.commandLine(), "followers must be at least 1, but is " + followers);
        }
        try (FeedStores.OpenStore opened = FeedStores.open(store, Clock.systemUTC(), THREADS);
                FeedEngine feed = FeedEngine.builder(opened.store())
                        .policy(FanoutPolicy.push())
                        .workers(THREADS)
                        .build()) {
            measure(feed, (WritableFollowGraph) opened.store().graph());
            return ExitCode.OK;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void measure(FeedEngine feed, WritableFollowGraph graph) {
        List<String> readers = IntStream.range(0, followers)
                .mapToObj(i -> String.format(Locale.ROOT, "r%06d", i))
                .toList();
        for (int i = 0; i < POSTS; i++) {
            feed.publish("before", "p" + i);
            feed.publish("after", "q" + i);
        }
        graph.add(readers.stream().map(reader -> new Edge(reader, "before")).toList());
        readers.forEach(reader -> feed.read(reader, PageRequest.first(1)));
        feed.fanout().drain();

        Stopwatch time = new Stopwatch();
        for (String reader : readers) {
            feed.follow(reader, "after");
            feed.unfollow(reader, "before");
        }
        double oneByOne = time.seconds();
        time = new Stopwatch();
        long moved = feed.moveFollowers("after", "before");
        double together = time.seconds();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "followers moved: %d%n", moved);
        out.printf(Locale.ROOT, "one by one: %.2f s%n", oneByOne);
        out.printf(Locale.ROOT, "in one call: %.2f s%n", together);
        out.printf(Locale.ROOT, "ratio: %.1f%n", oneByOne / together);
        out.flush();
    }
}
