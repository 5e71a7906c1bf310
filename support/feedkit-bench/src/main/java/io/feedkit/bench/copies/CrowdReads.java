package io.feedkit.bench.copies;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.bench.Callers;
import io.feedkit.event.CopyStep;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** First pages of readers without inboxes, until each has an inbox. A new engine has nothing in its caches. */
final class CrowdReads implements FeedListener {

    private static final int PAGE = 20;
    private static final int MOST_TURNS = 100;
    private static final double MILLIS_A_SECOND = 1000;

    private final CrowdStores stores;
    private final List<String> readers;
    private final Set<String> built = ConcurrentHashMap.newKeySet();
    private final AtomicInteger fromCopies = new AtomicInteger();
    private final AtomicInteger copied = new AtomicInteger();

    private CrowdReads(CrowdStores stores, List<String> readers) {
        this.stores = stores;
        this.readers = readers;
    }

    /**
     * What a crowd cost.
     *
     * @param pageSeconds until each reader had a page
     * @param inboxSeconds until each reader had an inbox
     * @param cpuMillis processor time of PostgreSQL for each reader
     * @param statements round trips to PostgreSQL
     * @param fromCopies how many inboxes were built from copies
     * @param copied how many inboxes were copied
     */
    record Cost(
            double pageSeconds, double inboxSeconds, double cpuMillis, double statements, int fromCopies, int copied) {}

    /** Reads with a new engine, and drops the inboxes again. */
    static Cost read(CrowdStores stores, List<String> readers, FeedEngineBuilder builder, int callers) {
        return new CrowdReads(stores, readers).read(builder, new Callers(callers, Duration.ZERO));
    }

    private Cost read(FeedEngineBuilder builder, Callers callers) {
        try (FeedEngine engine = builder.listener(this).build()) {
            long statements = stores.statements();
            double cpu = stores.database().cpuSeconds();
            long start = System.nanoTime();
            callers.forEach(readers, reader -> readPage(engine, reader));
            double pages = secondsSince(start);
            for (int turn = 0; built.size() < readers.size(); turn++) {
                if (turn == MOST_TURNS) {
                    throw new IllegalStateException("each of " + readers.size()
                            + " readers must get an inbox, but only " + built.size() + " did");
                }
                List<String> left = readers.stream()
                        .filter(reader -> !built.contains(reader))
                        .toList();
                callers.forEach(left, reader -> readPage(engine, reader));
            }
            return new Cost(
                    pages,
                    secondsSince(start),
                    (stores.database().cpuSeconds() - cpu) * MILLIS_A_SECOND / readers.size(),
                    stores.statements() - statements,
                    fromCopies.get(),
                    copied.get());
        } finally {
            stores.dropInboxes(readers);
        }
    }

    private static void readPage(FeedEngine engine, String reader) {
        int found = engine.read(reader, PageRequest.first(PAGE)).items().size();
        if (found != PAGE) {
            throw new IllegalStateException(
                    "a page must have " + PAGE + " posts, but that of " + reader + " has " + found);
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    @Override
    public void rebuilt(InboxRebuilt event) {
        built.add(event.reader());
        if (event.fromCopy()) {
            fromCopies.incrementAndGet();
        }
    }

    @Override
    public void copied(CopyStep event) {
        if (event.outcome() == CopyStep.Outcome.MADE) {
            copied.incrementAndGet();
        }
    }
}
