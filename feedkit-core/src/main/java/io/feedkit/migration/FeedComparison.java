package io.feedkit.migration;

import io.feedkit.Beta;
import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Compares feeds with those of another system, for example before readers are moved to FeedKit.
 *
 * <pre>{@code
 * FeedComparison.Result result = FeedComparison.of(feed, reader -> oldFeed.newest(reader, 100))
 *         .posts(100)
 *         .readersPerSecond(20)
 *         .compare(sampleOfReaders);
 * result.differences().forEach(System.out::println);
 * }</pre>
 *
 * <p>Both systems may take new posts meanwhile. The other feed is read before and after FeedKit's: a post that only one
 * of these two reads shows may be in FeedKit's feed or not. Readers whose feeds still differ are compared once more at
 * the end, and reported if they differ again. A post that the host writes to one system later than to the other
 * therefore counts as a difference only if it is written later than that.
 *
 * <p>A comparison reads first pages as the reader would, so it builds the inboxes of these readers. Immutable;
 * thread-safe if the callback is.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedComparison {

    private static final int DEFAULT_POSTS = 100;
    private static final double DEFAULT_READERS_PER_SECOND = 20;
    private static final double HIGHEST_RATE = 1_000_000;

    private final FeedEngine feed;
    private final Function<String, List<PostKey>> other;
    private final int posts;
    private final double readersPerSecond;

    private FeedComparison(FeedEngine feed, Function<String, List<PostKey>> other, int posts, double readersPerSecond) {
        this.feed = feed;
        this.other = other;
        this.posts = posts;
        this.readersPerSecond = readersPerSecond;
    }

    /**
     * A difference between two feeds.
     *
     * @param reader whose feed
     * @param missing posts of the other feed that FeedKit's feed lacks, newest first
     * @param extra posts of FeedKit's feed that the other feed lacks, newest first
     * @param misplaced posts that the other feed shows below an older post, by FeedKit's times. Posts of the same
     *     millisecond may be in any order
     */
    public record Difference(String reader, List<PostKey> missing, List<PostKey> extra, List<PostKey> misplaced) {
        /** Copies the lists. */
        public Difference {
            Arguments.nonNull("reader", reader);
            missing = List.copyOf(Arguments.nonNull("missing", missing));
            extra = List.copyOf(Arguments.nonNull("extra", extra));
            misplaced = List.copyOf(Arguments.nonNull("misplaced", misplaced));
        }

        private boolean isEmpty() {
            return missing.isEmpty() && extra.isEmpty() && misplaced.isEmpty();
        }
    }

    /**
     * The result of a comparison.
     *
     * @param readers how many readers were compared
     * @param differences the readers whose feeds differ, in the order of the sample
     */
    public record Result(int readers, List<Difference> differences) {
        /** Copies the differences. */
        public Result {
            differences = List.copyOf(Arguments.nonNull("differences", differences));
        }
    }

    /**
     * Creates a comparison of the newest 100 posts of 20 readers a second.
     *
     * @param feed FeedKit's feeds
     * @param other returns the newest posts of a reader in the other system, newest first: at least as many as are
     *     compared, or all
     * @return the comparison
     * @throws IllegalArgumentException if an argument is null
     */
    public static FeedComparison of(FeedEngine feed, Function<String, List<PostKey>> other) {
        return new FeedComparison(
                Arguments.nonNull("feed", feed),
                Arguments.nonNull("other", other),
                DEFAULT_POSTS,
                DEFAULT_READERS_PER_SECOND);
    }

    /**
     * Sets how many of the newest posts are compared. If the other system returns fewer for a reader, it has no more.
     *
     * @param posts how many, from 1 to half of {@value PageRequest#MAX_LIMIT}; at most as many as the other system
     *     keeps for a reader
     * @return a comparison with this setting
     * @throws IllegalArgumentException if it is out of range
     */
    public FeedComparison posts(int posts) {
        return new FeedComparison(
                feed, other, Arguments.between("posts", posts, 1, PageRequest.MAX_LIMIT / 2), readersPerSecond);
    }

    /**
     * Sets how many readers are compared in a second at most, to limit the load of both systems.
     *
     * @param readersPerSecond above 0, at most 1,000,000
     * @return a comparison with this setting
     * @throws IllegalArgumentException if it is out of range
     */
    public FeedComparison readersPerSecond(double readersPerSecond) {
        if (!(readersPerSecond > 0 && readersPerSecond <= HIGHEST_RATE)) {
            throw new IllegalArgumentException(
                    "readersPerSecond must be above 0 and at most 1000000, but is " + readersPerSecond);
        }
        return new FeedComparison(feed, other, posts, readersPerSecond);
    }

    /**
     * Compares the feeds of some readers, one after another, on the calling thread. A feed is read on over posts that
     * the engine's filter hides, to its end if need be. If the thread is interrupted, the comparison ends early: the
     * result holds the readers that were compared.
     *
     * @param readers the readers; duplicates are compared once
     * @return the differences
     * @throws CallbackException if the other system's callback throws or returns null
     * @throws io.feedkit.StoreUnavailableException if a feed cannot be read
     */
    public Result compare(Collection<String> readers) {
        Map<String, Difference> differences = new LinkedHashMap<>();
        Pace pace = new Pace(readersPerSecond);
        int compared = 0;
        for (String reader : new LinkedHashSet<>(Ids.requireEach("readers", readers))) {
            if (!pace.await()) {
                break;
            }
            compareOne(reader).ifPresent(difference -> differences.put(reader, difference));
            compared++;
        }
        List<Difference> confirmed = new ArrayList<>();
        differences.forEach((reader, difference) -> {
            if (pace.await()) {
                compareOne(reader).ifPresent(confirmed::add);
            } else {
                confirmed.add(difference);
            }
        });
        return new Result(compared, confirmed);
    }

    private Optional<Difference> compareOne(String reader) {
        List<PostKey> before = other(reader);
        List<Post> newest = newest(reader);
        List<PostKey> after = other(reader);
        Difference difference = difference(reader, before, newest, after);
        return difference.isEmpty() ? Optional.empty() : Optional.of(difference);
    }

    /** A page may be short although there are older posts, for example if many are filtered out. */
    private List<Post> newest(String reader) {
        FeedPage<Post> page = feed.read(reader, PageRequest.first(2 * posts));
        List<Post> newest = new ArrayList<>(page.items());
        while (newest.size() < 2 * posts && page.older().isPresent()) {
            page = feed.read(reader, PageRequest.older(page.older().get(), 2 * posts - newest.size()));
            newest.addAll(page.items());
        }
        return newest;
    }

    private List<PostKey> other(String reader) {
        try {
            return List.copyOf(other.apply(reader));
        } catch (RuntimeException e) {
            throw new CallbackException("the other system's feed of reader " + reader, e);
        }
    }

    private Difference difference(String reader, List<PostKey> before, List<Post> newest, List<PostKey> after) {
        Map<PostKey, Long> times = new LinkedHashMap<>();
        newest.forEach(post -> times.put(post.key(), post.publishedAt().toEpochMilli()));
        List<PostKey> wanted = after.subList(0, Math.min(posts, after.size()));
        Set<PostKey> stable = new HashSet<>(before);
        List<PostKey> missing = wanted.stream()
                .filter(key -> stable.contains(key) && !times.containsKey(key))
                .toList();
        return new Difference(reader, missing, extra(before, times, after), misplaced(wanted, times));
    }

    /**
     * Posts of FeedKit that the other feed lacks. Below the last post that both have, and in its millisecond, FeedKit
     * may show more, unless the other feed ends there.
     */
    private List<PostKey> extra(List<PostKey> before, Map<PostKey, Long> times, List<PostKey> after) {
        Set<PostKey> known = new HashSet<>(before);
        known.addAll(after);
        List<PostKey> extra = new ArrayList<>();
        List<PostKey> belowLast = new ArrayList<>();
        for (PostKey key : times.keySet()) {
            if (known.contains(key)) {
                extra.addAll(belowLast);
                belowLast.clear();
            } else {
                belowLast.add(key);
            }
        }
        if (after.size() < posts) {
            extra.addAll(belowLast);
        } else {
            long lowest = times.entrySet().stream()
                    .filter(post -> known.contains(post.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .min()
                    .orElse(Long.MIN_VALUE);
            extra.removeIf(key -> times.getOrDefault(key, lowest) == lowest);
        }
        return extra;
    }

    private static List<PostKey> misplaced(List<PostKey> wanted, Map<PostKey, Long> times) {
        List<PostKey> misplaced = new ArrayList<>();
        long lowest = Long.MAX_VALUE;
        for (PostKey key : wanted) {
            Long time = times.get(key);
            if (time != null && time > lowest) {
                misplaced.add(key);
            } else if (time != null) {
                lowest = time;
            }
        }
        return misplaced;
    }

    /** Spreads calls evenly over time. */
    private static final class Pace {

        private final long nanos;
        private long next = System.nanoTime();

        Pace(double perSecond) {
            nanos = Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond);
        }

        /** Waits for the next call's time. Returns whether the thread was not interrupted. */
        boolean await() {
            long wait = next - System.nanoTime();
            try {
                TimeUnit.NANOSECONDS.sleep(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            next = Math.max(next, System.nanoTime() - nanos) + nanos;
            return !Thread.currentThread().isInterrupted();
        }
    }
}
