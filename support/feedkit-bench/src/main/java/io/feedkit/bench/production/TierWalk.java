package io.feedkit.bench.production;

import static java.util.Objects.requireNonNull;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Walks from the newest post to the oldest: the time of a page in the inbox, in the outbox and in the archive, against
 * a page of the same posts by hand. Pages that have posts of two tiers do not count.
 */
final class TierWalk implements Measurement {

    private static final int READERS = 10;
    private static final int FOLLOWEES = 50;
    private static final int AUTHORS = 200;
    private static final int MOST_POSTS_EACH = 300;
    private static final int LEAST_POSTS_EACH = 80;
    private static final int POSTS_PART = 20_000;
    private static final int PAGES_OF_BOUND = 3;
    private static final String AUTHOR = "author";
    private static final Duration SPAN = Duration.ofDays(60);
    private static final long CLOSE_MILLIS = Duration.ofMinutes(1).toMillis();

    /** Where the posts of a page are. */
    private enum Tier {
        HOT("newest 1,000, inbox", "ZREVRANGE"),
        WARM("older, outbox", "a query by hand"),
        COLD("older than 30 days, archive", "a query by hand");

        private final String text;
        private final String byHand;

        Tier(String text, String byHand) {
            this.text = text;
            this.byHand = byHand;
        }
    }

    /** A page that was read: the time of its newest post, and how many posts were before it. */
    private record Place(String reader, Tier tier, long newest, int before) {}

    @Override
    public String name() {
        return "walk";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int each = Math.min(MOST_POSTS_EACH, Math.max(LEAST_POSTS_EACH, scale.followers() / POSTS_PART));
        long step = SPAN.toMillis() / each;
        long span = PAGES_OF_BOUND * HandTiers.PAGE * step / FOLLOWEES;
        try (Shape shape = Shape.production();
                HandTiers hand = new HandTiers(shape, span)) {
            long now = System.currentTimeMillis();
            new TimedPosts(AUTHOR, AUTHORS, "p", each, now, step).into(shape.database());
            Map<String, List<String>> followees = followees();
            shape.follow(inverted(followees));
            try (FeedEngine engine = shape.engine()
                    .workers(0)
                    .archiving(archiving -> archiving.postsPerSecond(Integer.MAX_VALUE))
                    .build()) {
                shape.database().settle("post", "follow");
                long moved = engine.archivePosts();
                shape.database().settle("post");
                shape.archiveDatabase().settle("archive_post");
                if (moved == 0) {
                    throw new IllegalStateException("posts must be in the archive, but none were moved");
                }
                long boundary = now - FeedEngineBuilder.DEFAULT_ARCHIVE_AGE.toMillis();
                return measure(scale, new Walker(engine, boundary), hand, followees);
            }
        }
    }

    private static Map<String, List<String>> followees() {
        Map<String, List<String>> followees = new LinkedHashMap<>();
        Random random = new Random(READERS);
        for (int reader = 0; reader < READERS; reader++) {
            Set<String> chosen = new LinkedHashSet<>();
            while (chosen.size() < FOLLOWEES) {
                chosen.add(TimedPosts.author(AUTHOR, random.nextInt(AUTHORS)));
            }
            followees.put("reader" + reader, List.copyOf(chosen));
        }
        return followees;
    }

    private static Map<String, Set<String>> inverted(Map<String, List<String>> followees) {
        Map<String, Set<String>> followers = new LinkedHashMap<>();
        followees.forEach((reader, authors) -> authors.forEach(author -> followers
                .computeIfAbsent(author, missing -> new LinkedHashSet<>())
                .add(reader)));
        return followers;
    }

    private List<Figure> measure(Scale scale, Walker walker, HandTiers hand, Map<String, List<String>> followees) {
        followees.keySet().forEach(reader -> hand.fill(reader, walker.newest(reader)));
        Map<Tier, List<Latency>> values = new EnumMap<>(Tier.class);
        Map<Tier, List<Latency>> baselines = new EnumMap<>(Tier.class);
        for (int round = -1; round < scale.rounds(); round++) {
            List<Place> places = new ArrayList<>();
            Map<Tier, Histogram> walked = histograms();
            followees.keySet().forEach(reader -> places.addAll(walker.walk(reader, walked)));
            Map<Tier, Histogram> byHand = histograms();
            places.forEach(
                    place -> requireNonNull(byHand.get(place.tier())).recordValue(nanos(hand, place, followees)));
            if (round >= 0) {
                add(walked, values);
                add(byHand, baselines);
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            figures.addAll(Latency.figures(
                    name() + ": a page of 20, " + tier.text,
                    tier.byHand,
                    values.getOrDefault(tier, List.of()),
                    baselines.getOrDefault(tier, List.of()),
                    Target.NONE,
                    Target.NONE));
        }
        return figures;
    }

    private static Map<Tier, Histogram> histograms() {
        Map<Tier, Histogram> histograms = new EnumMap<>(Tier.class);
        for (Tier tier : Tier.values()) {
            histograms.put(tier, new Histogram(3));
        }
        return histograms;
    }

    private static void add(Map<Tier, Histogram> measured, Map<Tier, List<Latency>> to) {
        measured.forEach((tier, nanos) ->
                to.computeIfAbsent(tier, missing -> new ArrayList<>()).add(Latency.of(nanos)));
    }

    private static long nanos(HandTiers hand, Place place, Map<String, List<String>> followees) {
        List<String> authors = followees.getOrDefault(place.reader(), List.of());
        long start = System.nanoTime();
        int found = switch (place.tier()) {
            case HOT -> hand.hot(place.reader(), place.before());
            case WARM -> hand.warm(authors, place.newest() + 1);
            case COLD -> hand.cold(authors, place.newest() + 1);
        };
        long nanos = System.nanoTime() - start;
        if (found != HandTiers.PAGE) {
            throw new IllegalStateException("a page by hand must be full, but has " + found + " posts at " + place);
        }
        return nanos;
    }

    /**
     * Reads feeds from the newest post to the oldest.
     *
     * @param boundary posts before this time are in the archive
     */
    private record Walker(FeedEngine engine, long boundary) {

        List<Post> newest(String reader) {
            return engine.read(reader, PageRequest.first(FeedEngineBuilder.DEFAULT_CAP))
                    .items();
        }

        List<Place> walk(String reader, Map<Tier, Histogram> nanos) {
            List<Place> places = new ArrayList<>();
            int before = 0;
            PageRequest request = PageRequest.first(HandTiers.PAGE);
            while (true) {
                long start = System.nanoTime();
                FeedPage<Post> page = engine.read(reader, request);
                long took = System.nanoTime() - start;
                Tier tier = tier(page.items(), before);
                if (tier != null) {
                    requireNonNull(nanos.get(tier)).recordValue(took);
                    places.add(new Place(
                            reader, tier, page.items().get(0).publishedAt().toEpochMilli(), before));
                }
                before += page.items().size();
                if (page.older().isEmpty()) {
                    return places;
                }
                request = PageRequest.older(page.older().get(), HandTiers.PAGE);
            }
        }

        private @Nullable Tier tier(List<Post> posts, int before) {
            if (posts.size() < HandTiers.PAGE) {
                return null;
            }
            int after = before + posts.size();
            long newest = posts.get(0).publishedAt().toEpochMilli();
            long oldest = posts.get(posts.size() - 1).publishedAt().toEpochMilli();
            if (after <= FeedEngineBuilder.DEFAULT_CAP) {
                return Tier.HOT;
            }
            if (newest < boundary - CLOSE_MILLIS) {
                return Tier.COLD;
            }
            return before >= FeedEngineBuilder.DEFAULT_CAP && oldest > boundary + CLOSE_MILLIS ? Tier.WARM : null;
        }
    }
}
