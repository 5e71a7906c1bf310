package io.feedkit.testkit.model;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The reads of a run: pages with cursors that are kept from step to step. Each page is checked against the posts that
 * it must and may show.
 */
final class Reads {

    private final Cluster cluster;
    private final ExpectedPosts expected;
    private final OracleFeed oracle;
    private final Host host;
    private final ModelSettings settings;
    private final Map<String, Walk> walks = new HashMap<>();

    Reads(Cluster cluster, ExpectedPosts expected, OracleFeed oracle, Host host, ModelSettings settings) {
        this.cluster = cluster;
        this.expected = expected;
        this.oracle = oracle;
        this.host = host;
        this.settings = settings;
    }

    void forget(String reader) {
        walks.keySet().removeIf(key -> key.startsWith(reader + " "));
    }

    void read(Step.Read step) {
        Optional<Walk> walk = Optional.ofNullable(walks.get(key(step.reader(), step.walk())));
        if (step.page() == Step.Page.NEWER && walk.isPresent()) {
            readNewer(step, walk.get());
        } else if (step.page() == Step.Page.OLDER
                && walk.isPresent()
                && walk.get().older().isPresent()) {
            readDown(step, walk.get(), PageRequest.older(walk.get().older().get(), step.limit()));
        } else {
            walk.ifPresent(old -> expected.unwatch(old.required()));
            Set<Post> required =
                    step.withoutInbox() ? expected.all(step.reader()) : expected.required(step.engine(), step.reader());
            expected.watch(step.reader(), required, host::hasContent);
            Walk fresh = new Walk(step.reader(), required, step.withoutInbox());
            walks.put(key(step.reader(), step.walk()), fresh);
            readDown(step, fresh, PageRequest.first(step.limit()));
        }
    }

    private void readDown(Step.Read step, Walk walk, PageRequest request) {
        if (!walk.isInOutboxes()) {
            walk.required().removeIf(post -> !expected.isRequired(step.engine(), step.reader(), post));
        }
        long askedAt = cluster.clock(step.engine()).millis();
        FeedPage<Post> page = checked(step, request);
        Walk.Present present =
                Walk.Present.between(askedAt, cluster.clock(step.engine()).millis());
        List<Post> posts = page.items();
        if (!posts.isEmpty() && walk.lowest().isPresent()) {
            check(
                    OracleFeed.NEWEST_FIRST.compare(walk.lowest().get(), posts.get(0)) < 0,
                    step,
                    posts.get(0) + " is not below " + walk.lowest().get() + ", which was shown before",
                    page);
        }
        walk.show(page, present);
        for (Post post : walk.required()) {
            boolean passed = page.older().isEmpty()
                    || walk.lowest()
                            .filter(lowest -> OracleFeed.NEWEST_FIRST.compare(post, lowest) < 0)
                            .isPresent();
            check(!passed || walk.seen().contains(post), step, post + " was skipped", page);
        }
    }

    private void readNewer(Step.Read step, Walk walk) {
        Set<Post> required = expected.required(step.engine(), step.reader());
        expected.watch(step.reader(), required, post -> !step.hydrated() || host.hasContent(post));
        if (step.hydrated()) {
            required.removeIf(post -> !host.hasContent(post));
        }
        long askedAt = cluster.clock(step.engine()).millis();
        FeedPage<Post> page = checked(step, PageRequest.newer(walk.newer(), step.limit()));
        expected.unwatch(required);
        List<Post> posts = page.items();
        for (Post post : posts) {
            check(!walk.wasShown(post), step, post + " was shown before", page);
            check(!walk.isTooOld(post), step, post + " is too far below the cursor", page);
        }
        for (Post post : required) {
            boolean covered =
                    !page.moreNewer() || (!posts.isEmpty() && OracleFeed.NEWEST_FIRST.compare(posts.get(0), post) <= 0);
            check(!covered || !walk.isNews(post, page) || posts.contains(post), step, post + " was skipped", page);
        }
        Walk.Present present =
                Walk.Present.between(askedAt, cluster.clock(step.engine()).millis());
        walk.climb(page, step.limit(), required, present);
    }

    /** Reads a page, and checks what holds for every page. */
    private FeedPage<Post> checked(Step.Read step, PageRequest request) {
        Set<String> before = new HashSet<>(Users.ALL);
        before.removeIf(author -> !oracle.shows(step.reader(), author));
        Set<PostKey> deleted = oracle.tombstones();
        int changes = expected.changes();
        List<FeedPage<Post>> pages = new ArrayList<>();
        cluster.call(step.engine(), true, engine -> pages.add(page(engine, step, request)));
        expected.sync();
        FeedPage<Post> page = pages.get(0);
        List<Post> posts = page.items();
        check(posts.size() <= step.limit(), step, "the page is too long", page);
        for (int i = 1; i < posts.size(); i++) {
            check(
                    OracleFeed.NEWEST_FIRST.compare(posts.get(i - 1), posts.get(i)) < 0,
                    step,
                    "the page is not in order",
                    page);
        }
        long distinct = posts.stream().map(Post::key).distinct().count();
        check(distinct == posts.size(), step, "the page shows a post twice", page);
        for (Post post : posts) {
            check(
                    expected.isAllowed(step.engine(), step.reader(), post, step.hydrated())
                            || (expected.changes() != changes
                                    && !deleted.contains(post.key())
                                    && (before.contains(post.author()) || oracle.shows(step.reader(), post.author()))),
                    step,
                    post + " must not be shown",
                    page);
        }
        expected.show(step.engine(), step.reader(), posts);
        expected.sync();
        return page;
    }

    private FeedPage<Post> page(FeedEngine engine, Step.Read step, PageRequest request) {
        if (step.withoutInbox()) {
            return cluster.store(step.engine()).without("inbox.", () -> pageOf(engine, step, request));
        }
        return pageOf(engine, step, request);
    }

    private FeedPage<Post> pageOf(FeedEngine engine, Step.Read step, PageRequest request) {
        if (!step.hydrated()) {
            return engine.read(step.reader(), request);
        }
        return engine.read(step.reader(), request, host::load);
    }

    void unread(Step.Unread step) {
        Set<Post> required = expected.required(step.engine(), step.reader());
        expected.watch(step.reader(), required, post -> true);
        List<Long> counts = new ArrayList<>();
        int changes = expected.changes();
        long before = shown(step.reader());
        cluster.call(
                step.engine(),
                true,
                engine -> counts.add(engine.unread(step.reader()).count()));
        expected.sync();
        expected.unwatch(required);
        if (expected.isInterleaved()) {
            return;
        }
        int candidates = oracle.posts().size() + oracle.tombstones().size();
        boolean exact = candidates < settings.unreadCap() + settings.maxScannedPerPage();
        long least = exact ? Math.min(settings.unreadCap(), oracle.unread(step.reader(), required::contains)) : 0;
        // Posts that left the feed meanwhile may have been counted before.
        long shown = expected.changes() == changes ? shown(step.reader()) : Math.max(before, shown(step.reader()));
        int wrong = expected.wrongEntries(step.reader()).size();
        long most = Math.min(
                settings.unreadCap(), shown + wrong + oracle.tombstones().size());
        if (counts.get(0) < least || counts.get(0) > most) {
            throw new AssertionError(
                    step + " counted " + counts.get(0) + ", but the count must be " + least + " to " + most);
        }
    }

    private long shown(String reader) {
        return oracle.unread(reader, post -> host.isShown(reader, post));
    }

    void markSeen(Step.MarkSeen step) {
        Walk walk = walks.get(key(step.reader(), step.walk()));
        if (walk != null) {
            Cursor upTo = walk.newer();
            cluster.call(step.engine(), true, engine -> engine.markSeen(step.reader(), upTo));
        }
    }

    /** Reads that interrupt an operation, which may itself be a read, have walks of their own. */
    private String key(String reader, int walk) {
        return reader + " " + walk + (expected.isInterleaved() ? " inner" : "");
    }

    private static void check(boolean condition, Step.Read step, String message, FeedPage<Post> page) {
        if (!condition) {
            throw new AssertionError(step + ": " + message + "; the page is " + page);
        }
    }
}
