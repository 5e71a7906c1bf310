package io.feedkit.bench.core;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Two threads that read full first pages at a steady pace, one read a millisecond each. They record how long each read
 * took, and how long it took since it was due. The second time includes delays of the readers themselves, such as a
 * pause of the collector or a busy processor.
 */
public final class PacedReaders {

    private static final int THREADS = 2;
    private static final long PACE_NANOS = 1_000_000;
    private static final int PAGE = 20;

    /** The times of reads, in nanoseconds. */
    public record Latencies(Histogram ofCalls, Histogram sinceDue) {
        static Latencies create() {
            return new Latencies(new Histogram(3), new Histogram(3));
        }

        void add(Latencies others) {
            ofCalls.add(others.ofCalls);
            sinceDue.add(others.sinceDue);
        }
    }

    private final FeedEngine engine;
    private final List<String> readers;

    public PacedReaders(FeedEngine engine, List<String> readers) {
        this.engine = engine;
        this.readers = List.copyOf(readers);
    }

    /** Reads while other code runs. */
    public Latencies during(Runnable body) {
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Latencies>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int first = readers.size() * i / THREADS;
                running.add(executor.submit(() -> read(first, stopped)));
            }
            try {
                body.run();
            } finally {
                stopped.set(true);
            }
            Latencies all = Latencies.create();
            for (Future<Latencies> one : running) {
                all.add(one.get());
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read failed", e);
        } finally {
            executor.shutdown();
        }
    }

    private Latencies read(int first, AtomicBoolean stopped) {
        Latencies latencies = Latencies.create();
        long due = System.nanoTime();
        for (int i = first; !stopped.get(); i++) {
            due += PACE_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            long start = System.nanoTime();
            String reader = readers.get(i % readers.size());
            int found = engine.read(reader, PageRequest.first(PAGE)).items().size();
            long end = System.nanoTime();
            if (found != PAGE) {
                throw new IllegalStateException("the page of " + reader + " must be full, but has " + found + " posts");
            }
            latencies.ofCalls().recordValue(end - start);
            latencies.sinceDue().recordValue(end - due);
        }
        return latencies;
    }
}
