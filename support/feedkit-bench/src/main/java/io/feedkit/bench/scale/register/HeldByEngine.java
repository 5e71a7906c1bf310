package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Target;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.PulledRegister.Update;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The memory that an engine holds whose readers follow as many registered authors as an engine caches, 200 each.
 *
 * @param server the server whose outbox and follows the engine reads
 * @param entries the size of the register
 */
record HeldByEngine(SourceServer server, int entries) {

    private static final int MOST_AUTHORS = 80_000;
    private static final int FOLLOWEES = 200;
    private static final int PAGE = 20;
    private static final double MOST_MEGABYTES = 50;

    Figure figure(String measurement) {
        int readers = Math.min(MOST_AUTHORS, entries / 2) / FOLLOWEES;
        for (int reader = 0; reader < readers; reader++) {
            follow(reader);
        }
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        FeedStore parts = FeedStore.of(server.writers(), memory::inbox, server.graph(), memory.seenMarks());
        List<FeedEngine> held = new ArrayList<>();
        held.add(FeedEngine.builder(parts).workers(0).build());
        for (int reader = 0; reader < readers; reader++) {
            held.get(0).read(reader(reader), PageRequest.first(PAGE));
        }
        double value = released(held);
        double copy = released(new ArrayList<>(List.of(copy())));
        return new Figure(
                measurement + ": what an engine holds of " + readers * FOLLOWEES + " authors (against a copy of all)",
                "MB",
                value,
                copy,
                new Target.AtMost(MOST_MEGABYTES));
    }

    private static String reader(int number) {
        return "reader-" + number;
    }

    /** Makes a reader follow authors whom no other reader follows, and who have one post each. */
    private void follow(int reader) {
        long time = System.currentTimeMillis();
        int apart = entries / Math.min(MOST_AUTHORS, entries / 2);
        List<Edge> edges = new ArrayList<>();
        List<Publication> posts = new ArrayList<>();
        for (int i = 0; i < FOLLOWEES; i++) {
            String author = RegisterFeed.pulled(entries - 1 - (reader * FOLLOWEES + i) * apart);
            edges.add(new Edge(reader(reader), author));
            posts.add(new Publication(Post.of(author, "post", time), FanoutMode.PULL));
        }
        server.graph().add(edges);
        server.writers().append(posts);
    }

    private Update copy() {
        return server.writers().pulled().update(Optional.empty(), Set.of(), Integer.MAX_VALUE);
    }

    /** The memory that is released when a list is cleared and its engines are closed. */
    private static double released(List<?> held) {
        double before = HeapWatch.liveMegabytes();
        held.forEach(each -> {
            if (each instanceof FeedEngine engine) {
                engine.close();
            }
        });
        held.clear();
        return before - HeapWatch.liveMegabytes();
    }
}
