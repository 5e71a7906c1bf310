package io.feedkit.testkit.model;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.Explanation.Verdict;
import io.feedkit.testkit.internal.Samples;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares an engine's pages at rest with the oracle: read downwards, read upwards, and with content. Also compares the
 * count of unread posts.
 */
final class FeedCheck {

    private static final List<Integer> LIMITS = List.of(2, 7, 1000);
    private static final int SHORT = 12;
    private static final int EXPLAINED = 4;
    private static final int MOST_PAGES = 10_000;

    private final OracleFeed oracle;
    private final Host host;
    private final ModelSettings settings;

    FeedCheck(OracleFeed oracle, Host host, ModelSettings settings) {
        this.oracle = oracle;
        this.host = host;
        this.settings = settings;
    }

    void check(FeedEngine engine, String reader) {
        Predicate<Post> shown = post -> host.isShown(reader, post);
        List<Post> expected = oracle.feed(reader, shown);
        explain(engine, reader, expected);
        for (int limit : LIMITS) {
            same("down by " + limit, reader, expected, down(limit, request -> engine.read(reader, request)));
        }
        if (expected.size() <= SHORT) {
            same("down by 1", reader, expected, down(1, request -> engine.read(reader, request)));
        }
        List<Post> hydrated = expected.stream().filter(host::hasContent).toList();
        same("with content", reader, hydrated, down(5, request -> engine.read(reader, request, host::load)));
        Cursor bottom = Samples.bottom();
        same("up by 3", reader, expected, up(bottom, 3, request -> engine.read(reader, request)));
        same("up by 1000", reader, expected, up(bottom, 1000, request -> engine.read(reader, request)));
        checkUnread(engine, reader, shown);
    }

    /** Asks why some posts are, or are not, in the feed. */
    private void explain(FeedEngine engine, String reader, List<Post> expected) {
        Set<PostKey> shown = expected.stream().map(Post::key).collect(Collectors.toSet());
        Stream<PostKey> known = Stream.concat(oracle.posts().stream().map(Post::key), oracle.tombstones().stream());
        known.skip(Math.floorMod(reader.hashCode(), EXPLAINED)).limit(EXPLAINED).forEach(key -> {
            Explanation explanation = engine.explain(reader, key);
            if ((explanation.verdict() == Verdict.SHOWN) != shown.contains(key)) {
                throw new AssertionError(explanation + " is wrong: the feed should be " + expected);
            }
        });
    }

    /**
     * If more posts are hidden (filtered, deleted, or of unfollowed authors) than {@code maxScannedPerPage} allows, the
     * count may stop early.
     */
    private void checkUnread(FeedEngine engine, String reader, Predicate<Post> shown) {
        long expected = Math.min(settings.unreadCap(), oracle.unread(reader, shown));
        int most = oracle.posts().size() + oracle.tombstones().size();
        long counted = engine.unread(reader).count();
        boolean exact = most < settings.unreadCap() + settings.maxScannedPerPage();
        if (counted > expected || (exact && counted != expected)) {
            throw new AssertionError("unread of " + reader + " is " + counted + ", but should be " + expected);
        }
    }

    private static List<Post> down(int limit, Function<PageRequest, FeedPage<Post>> read) {
        List<Post> posts = new ArrayList<>();
        PageRequest request = PageRequest.first(limit);
        while (true) {
            FeedPage<Post> page = read.apply(request);
            requireLength(page, limit);
            posts.addAll(page.items());
            Optional<Cursor> older = page.older();
            if (older.isEmpty()) {
                return posts;
            }
            request = PageRequest.older(older.get(), limit);
        }
    }

    private static List<Post> up(Cursor bottom, int limit, Function<PageRequest, FeedPage<Post>> read) {
        List<Post> posts = new ArrayList<>();
        PageRequest request = PageRequest.newer(bottom, limit);
        for (int pages = 0; ; pages++) {
            FeedPage<Post> page = read.apply(request);
            if (pages > MOST_PAGES) {
                throw new AssertionError("a walk upwards does not end: after " + pages + " pages the page is " + page);
            }
            requireLength(page, limit);
            List<Post> ascending = new ArrayList<>(page.items());
            Collections.reverse(ascending);
            posts.addAll(ascending);
            if (!page.moreNewer()) {
                Collections.reverse(posts);
                return posts;
            }
            request = PageRequest.newer(page.newer(), limit);
        }
    }

    private static void requireLength(FeedPage<Post> page, int limit) {
        if (page.items().size() > limit) {
            throw new AssertionError("a page has more than " + limit + " posts: " + page);
        }
    }

    private static void same(String how, String reader, List<Post> expected, List<Post> actual) {
        if (!expected.equals(actual)) {
            List<Post> lost = new ArrayList<>(expected);
            lost.removeAll(actual);
            List<Post> wrong = new ArrayList<>(actual);
            expected.forEach(wrong::remove);
            throw new AssertionError("the feed of " + reader + ", read " + how + ", lacks " + lost
                    + " and should not show " + wrong + "; it is " + actual + ", but should be " + expected);
        }
    }
}
