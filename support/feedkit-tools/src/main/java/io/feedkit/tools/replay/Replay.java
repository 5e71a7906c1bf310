package io.feedkit.tools.replay;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.tools.input.InputException;
import io.feedkit.tools.replay.Archives.OpenArchive;
import io.feedkit.tools.replay.Copies.OpenCopies;
import io.feedkit.tools.replay.FeedStores.OpenStore;
import io.feedkit.tools.servers.FanoutQueues;
import io.feedkit.tools.servers.FanoutQueues.OpenQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import org.HdrHistogram.Histogram;

/**
 * One run of recorded events through an engine. It loads the follows, lets every reader read once, plays the events,
 * waits for the fan-out, and finally reads every reader's feed. If inboxes are copied, they are dropped after half of
 * the events.
 */
final class Replay implements AutoCloseable {

    /**
     * Longer than any recording. The clock runs through a week in seconds, so leases and daily checks would end too
     * early.
     */
    private static final Duration NEVER = Duration.ofDays(36_500);

    /** The staleness bound. No other engine makes changes, and an hour of this clock passes in milliseconds. */
    private static final Duration STALENESS = Duration.ofHours(1);

    /** How often the engine looks for old posts: a day of this clock passes in seconds. */
    private static final Duration ARCHIVE_INTERVAL = Duration.ofMillis(100);

    /** How often a reader's inbox is copied at most. */
    private static final Duration COPY_INTERVAL = Duration.ofDays(1);

    /** As long as copies may be kept. */
    private static final Duration COPY_LIFETIME = Duration.ofDays(365);

    /** The prefix of the names of queues. */
    private static final String NAME = "feedkit.replay";

    /** The largest number of fan-out workers of an engine. */
    private static final int MAX_THREADS = 256;

    private final ReplayOptions options;
    private final Progress progress;
    private final EventClock clock;
    private final OpenQueue queue;
    private final OpenStore opened;
    private final OpenArchive archive;
    private final OpenCopies copies;
    private final Names names = new Names();
    private final Meters meters = new Meters();
    private final WritableFollowGraph graph;
    private final FeedEngineBuilder builder;
    private final PageRequest firstPage;

    /**
     * Prepares a run.
     *
     * @throws IllegalArgumentException if an option is out of range
     */
    Replay(ReplayOptions options, Progress progress) {
        this.options = options;
        this.progress = progress;
        requireBetween("threads", options.threads(), 1, MAX_THREADS);
        requireBetween("page", options.page(), 1, PageRequest.MAX_LIMIT);
        if (options.newest() != ReplayOptions.ALL) {
            requireBetween("newest", options.newest(), 1, PageRequest.MAX_LIMIT);
        }
        this.firstPage = PageRequest.first(options.page());
        this.clock = FeedStores.clock(options.store());
        this.queue = FanoutQueues.open(options.queue(), NAME);
        try {
            this.archive = Archives.open(options.archive(), options.threads());
        } catch (RuntimeException e) {
            queue.close();
            throw e;
        }
        try {
            this.copies = Copies.open(options.copies(), clock);
        } catch (RuntimeException e) {
            queue.close();
            archive.close();
            throw e;
        }
        try {
            this.opened = FeedStores.open(options.store(), clock, options.threads());
        } catch (RuntimeException e) {
            queue.close();
            archive.close();
            copies.close();
            throw e;
        }
        this.graph = (WritableFollowGraph) opened.store().graph();
        try {
            this.builder = builder();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private FeedEngineBuilder builder() {
        FeedEngineBuilder settings = FeedEngine.builder(opened.store())
                .clock(clock)
                .policy(options.policy())
                .cap(options.cap())
                .liveWindow(options.liveWindow())
                .workers(options.threads())
                .listener(meters)
                .fanout(fanout -> fanout.lease(lease()))
                .reading(reading -> reading.staleness(STALENESS)
                        .reconcileInterval(NEVER)
                        .concurrentRebuilds(options.threads())
                        .followeeCache(Integer.MAX_VALUE));
        queue.queue()
                .ifPresent(used -> settings.fanoutQueue(QueuedFanout.over(used).loan(NEVER)));
        archive.archive()
                .ifPresent(used -> settings.archive(used)
                        .archiving(archiving -> archiving
                                .after(options.archiveAfter())
                                .interval(ARCHIVE_INTERVAL)
                                .postsPerSecond(Integer.MAX_VALUE)));
        copies.copies()
                .ifPresent(used -> settings.inboxCopies(used)
                        .copying(copying -> copying.interval(copyInterval()).lifetime(COPY_LIFETIME)));
        return settings;
    }

    /** A lease must be shorter than the age of archived posts. A lease that ends early only repeats work. */
    private Duration lease() {
        return archive.archive().isPresent() ? options.archiveAfter().dividedBy(2) : NEVER;
    }

    /** An inbox must not end before it is copied, and a copy not before the inbox. */
    private Duration copyInterval() {
        if (options.liveWindow().plus(COPY_INTERVAL).compareTo(COPY_LIFETIME) >= 0) {
            throw new IllegalArgumentException("liveWindow must be shorter than "
                    + COPY_LIFETIME.minus(COPY_INTERVAL).toDays() + " days with copies, but is "
                    + options.liveWindow());
        }
        return options.liveWindow().compareTo(COPY_INTERVAL) < 0 ? options.liveWindow() : COPY_INTERVAL;
    }

    private static void requireBetween(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
    }

    /**
     * Runs.
     *
     * @throws InputException if a file cannot be used
     */
    Report run() {
        return run(engine -> {});
    }

    /** As {@link #run()}, but also passes the engine to a consumer after the final reads. */
    Report run(Consumer<FeedEngine> afterwards) {
        Set<Long> known = loadFollows();
        Survey survey = Survey.of(options.events(), known);
        List<Long> readers = List.copyOf(known);
        clock.advanceTo(survey.firstMillis());
        try (FeedEngine engine = builder.build();
                FeedReaders threads = new FeedReaders(options.threads())) {
            openInboxes(engine, threads, readers);
            Played played = play(engine, survey.events(), () -> leave(engine, threads, readers));
            meters.restartReads();
            Final end = readFeeds(engine, threads, readers);
            String unread = options.unread() ? new UnreadCounts(engine, readers).digest() : "";
            afterwards.accept(engine);
            return new Report(
                    meters,
                    played.publishNanos(),
                    played.took(),
                    end.took(),
                    heapUsed(),
                    archive.archive().isPresent(),
                    copies.copies().isPresent(),
                    end.digest(),
                    options.digest() ? unread : "");
        }
    }

    /** Closes the store, and deletes the run's data. */
    @Override
    public void close() {
        try {
            queue.close();
        } finally {
            try {
                opened.close();
            } finally {
                try {
                    archive.close();
                } finally {
                    copies.close();
                }
            }
        }
    }

    private record Played(Histogram publishNanos, Duration took) {}

    private record Final(String digest, Duration took) {}

    private Set<Long> loadFollows() {
        Set<Long> readers = new TreeSet<>();
        FollowsLoader loader = new FollowsLoader(graph, names);
        options.follows()
                .forEach(path -> new FollowsFile(path).forEach((reader, author) -> {
                    readers.add(reader);
                    loader.add(reader, author);
                }));
        loader.flush();
        return readers;
    }

    private void openInboxes(FeedEngine engine, FeedReaders threads, List<Long> readers) {
        try (ProgressBar bar = progress.start("open inboxes", readers.size())) {
            FeedReaders.Reading open =
                    reader -> engine.read(Names.reader(reader), firstPage).items();
            threads.readAll(readers, open, (reader, feed) -> bar.step());
        }
    }

    private void leave(FeedEngine engine, FeedReaders threads, List<Long> readers) {
        if (copies.copies().isPresent()) {
            InboxCopies used = copies.copies().get();
            InboxLimits limits =
                    new InboxLimits(options.cap(), options.liveWindow().toMillis());
            List<String> names = readers.stream().map(Names::reader).toList();
            new Absence(used, opened.store().inbox(limits), names).begin(engine, threads, readers);
        }
    }

    /** @param halfway is run after half of the events */
    private Played play(FeedEngine engine, long events, Runnable halfway) {
        EventPlayer player = new EventPlayer(engine, clock, names, firstPage, options.batchSize());
        long start = System.nanoTime();
        try (ProgressBar bar = progress.start("replay", events)) {
            AtomicLong played = new AtomicLong();
            options.events().forEach(event -> {
                if (played.getAndIncrement() == events / 2) {
                    player.flush();
                    halfway.run();
                }
                player.accept(event);
                bar.step();
            });
            player.flush();
            bar.setExtraMessage("fan-out");
            engine.fanout().drain();
        }
        Duration took = since(start);
        if (archive.archive().isPresent()) {
            engine.archivePosts();
        }
        return new Played(player.publishNanos(), took);
    }

    private Final readFeeds(FeedEngine engine, FeedReaders threads, List<Long> readers) {
        FeedDigest digest = new FeedDigest();
        long start = System.nanoTime();
        try (ProgressBar bar = progress.start("read feeds", readers.size())) {
            threads.readAll(readers, reader -> wholeRead(engine, Names.reader(reader)), (reader, feed) -> {
                if (options.digest()) {
                    digest.add(reader, feed);
                }
                bar.step();
            });
        }
        return new Final(options.digest() ? digest.hex() : "", since(start));
    }

    /**
     * Reads the newest posts, or walks the whole feed. A page before the end may be short, so only the cursor shows the
     * end.
     */
    private List<Post> wholeRead(FeedEngine engine, String reader) {
        boolean all = options.newest() == ReplayOptions.ALL;
        int wanted = all ? Integer.MAX_VALUE : options.newest();
        int limit = all ? options.page() : options.newest();
        FeedPage<Post> page = engine.read(reader, PageRequest.first(limit));
        List<Post> feed = new ArrayList<>(page.items());
        while (feed.size() < wanted && page.older().isPresent()) {
            page = engine.read(reader, PageRequest.older(page.older().get(), Math.min(limit, wanted - feed.size())));
            feed.addAll(page.items());
        }
        return feed;
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private static long heapUsed() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
