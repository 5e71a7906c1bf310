package io.feedkit.survival.chaos;

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
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The posts that readers may and must see during posts, follows and faults. Callers report when each operation begins
 * and when it has happened. In between, and forever if the outcome stays unknown, the operation may or may not have
 * happened, and both kinds of pages are right. It shares no code with the engine. Thread-safe.
 *
 * <p><b>A post that is dated ahead is stored with the time of the publish,</b> by the engine's clock. The model learns that time from the
 * answer to the publish, or from the first page that shows the post. All other rules use the post as stored.
 *
 * <p><b>Visible on one path is visible on all.</b> The model remembers for each reader which engine showed a post
 * first, and when. A later page that covers the post's place must have the post: at once on the same engine, after the
 * staleness bound on others. This holds until a delete of the post or an unfollow of the author by the reader begins. A
 * follow that has returned makes the author's earlier posts visible in the same sense. Pages that say that they may be
 * stale are not used as evidence, and need not show any post.
 */
final class FeedModel {

    private static final int PRINTED = 2;
    private static final long NEVER = Long.MAX_VALUE;

    /** A post's life. */
    private static final class Life {

        private Post post;
        private boolean stored;
        private final long publishStart;
        private long publishEnd = NEVER;
        private String publisher = "";
        private long deleteStart = NEVER;
        private long deleteEnd = NEVER;

        private Life(Post post, long publishStart) {
            this.post = post;
            this.publishStart = publishStart;
        }

        /** Returns whether the post can be stored in this form. If so, this form counts as stored from now on. */
        private boolean learns(Post other, long at, Skew skew) {
            long given = millis(post);
            long time = millis(other);
            if (!stored && other.key().equals(post.key())) {
                stored = time <= Math.min(given, skew.latest(at))
                        && (time == given || time >= skew.earliest(publishStart));
                post = stored ? other : post;
            }
            return stored && post.equals(other);
        }
    }

    /** The first calls of a reader that made a post visible, by engine, and the first of all. */
    private static final class Sightings {

        private final Map<String, Call> byEngine = new HashMap<>();
        private final Call first;
        private Call latest;

        private Sightings(Call first) {
            this.first = first;
            this.latest = first;
        }
    }

    private final long origin;
    private final long staleness;
    private final Skew skew;
    private final Map<PostKey, Life> lives = new HashMap<>();
    private final Map<String, Map<Post, Sightings>> visible = new HashMap<>();
    private final Map<String, SeenTimes> marks = new HashMap<>();
    private final FollowTimes follows = new FollowTimes();
    private final OracleFeed oracle = new OracleFeed(false);
    private long checks;
    private long longestGone;
    private final Map<String, Map<PostKey, Long>> gone = new HashMap<>();

    /**
     * @param origin the time that counts as zero in messages
     * @param staleness the number of milliseconds, with a margin, after which other engines must show the same
     * @param skew how wrong the engines' clocks are
     */
    FeedModel(long origin, long staleness, Skew skew) {
        this.origin = origin;
        this.staleness = staleness;
        this.skew = skew;
    }

    Skew skew() {
        return skew;
    }

    synchronized void publishing(Post post, long at) {
        lives.putIfAbsent(post.key(), new Life(post, at));
    }

    /** A publish has returned, with the post as stored. */
    synchronized List<Violation> published(Post post, String engine, long at) {
        Life life = life(post.key());
        life.publishEnd = at;
        life.publisher = engine;
        oracle.publish(post);
        if (life.learns(post, at, skew)) {
            return List.of();
        }
        return List.of(new Violation(
                Rule.PUBLISHED,
                "%s returns %s for the publish of %s [%d, %d]"
                        .formatted(engine, place(post), place(life.post), life.publishStart - origin, at - origin)));
    }

    /** Records that a publish had no effect, and that no client repeats it. */
    synchronized void givenUp(PostKey key) {
        Post post = life(key).post;
        lives.remove(key);
        visible.values().forEach(posts -> posts.remove(post));
    }

    synchronized void deleting(PostKey key, long at) {
        Life life = life(key);
        life.deleteStart = Math.min(life.deleteStart, at);
    }

    synchronized void deleted(PostKey key, long at) {
        life(key).deleteEnd = at;
        oracle.delete(key);
    }

    /** A follow or an unfollow begins. Calls for one pair do not overlap. */
    synchronized void edgeChanging(String reader, String author, long at) {
        follows.begins(reader, author, at);
        visible(reader).keySet().removeIf(post -> post.author().equals(author));
    }

    /** A follow has returned. */
    synchronized void followed(Call call, String author) {
        String reader = call.reader();
        follows.ended(reader, author, true, call.end());
        oracle.follow(reader, author);
        for (Life life : lives.values()) {
            if (life.post.author().equals(author) && life.publishEnd < call.start() && life.deleteStart == NEVER) {
                see(life.post, call);
            }
        }
    }

    /** An unfollow has returned. */
    synchronized void unfollowed(String reader, String author, long at) {
        follows.ended(reader, author, false, at);
        oracle.unfollow(reader, author);
    }

    /** A reader begins to mark posts as seen. Returns the handle for {@link #marked}. */
    synchronized int marking(String reader, ShownPosts posts, long at) {
        return seen(reader).begins(posts, at);
    }

    synchronized void marked(String reader, int handle, long at) {
        seen(reader).ended(handle, at);
    }

    /**
     * Checks a page by itself and against the posts that the reader can see, and learns from it.
     *
     * @param page the page
     * @param missing the rule that is violated if a visible post is missing
     * @param covers whether a visible post that is not on the page belongs to it
     * @return the violations
     */
    synchronized List<Violation> check(ShownPage page, Rule missing, Predicate<Post> covers) {
        List<Violation> found = new ArrayList<>();
        Call call = page.call();
        Optional<Post> above = Optional.empty();
        for (Post post : page.posts()) {
            checks++;
            if (above.isPresent() && OracleFeed.NEWEST_FIRST.compare(above.get(), post) >= 0) {
                found.add(violation(Rule.ORDER, page, post));
            }
            above = Optional.of(post);
            Life life = lives.get(post.key());
            if (life == null || life.publishStart > call.end() || !life.learns(post, call.end(), skew)) {
                found.add(violation(Rule.PUBLISHED, page, post));
            } else if (!page.stale()) {
                if (life.deleteEnd < NEVER && life.deleteEnd + (page.hydrated() ? 0 : staleness) < call.start()) {
                    found.add(violation(Rule.DELETED, page, post));
                }
                if (follows.notFollowed(call.reader(), post.author(), call.start(), call.end())) {
                    found.add(violation(Rule.FOLLOWED, page, post));
                }
            }
        }
        if (!page.stale()) {
            found.addAll(missing(page, missing, covers));
            // Not if the author was unfollowed since, because the page may arrive late.
            page.posts().stream()
                    .filter(post ->
                            isStored(post) && follows.followed(call.reader(), post.author(), call.start(), NEVER))
                    .forEach(post -> see(post, call));
        }
        return found;
    }

    private List<Violation> missing(ShownPage page, Rule rule, Predicate<Post> covers) {
        List<Violation> found = new ArrayList<>();
        Call call = page.call();
        Set<Post> shown = new HashSet<>(page.posts());
        for (Map.Entry<Post, Sightings> each : visible(call.reader()).entrySet()) {
            Post post = each.getKey();
            checks++;
            if (!shown.contains(post) && isDue(post, each.getValue(), call) && covers.test(post)) {
                found.add(violation(rule, page, post));
                gone.computeIfAbsent(call.reader(), reader -> new HashMap<>()).putIfAbsent(post.key(), call.start());
            }
        }
        return found;
    }

    /** Checks a count of unread posts. */
    synchronized List<Violation> check(Call call, long count) {
        checks++;
        SeenTimes seen = seen(call.reader());
        ShownPosts before = seen.before(call.start());
        ShownPosts until = seen.until(call.end());
        long most = lives.values().stream()
                .filter(life -> life.publishStart <= call.end()
                        && !(life.deleteEnd < NEVER && life.deleteEnd + staleness < call.start())
                        && !follows.notFollowed(call.reader(), life.post.author(), call.start(), call.end())
                        && !before.has(life.post))
                .count();
        List<Post> least = new ArrayList<>();
        visible(call.reader()).forEach((post, sightings) -> {
            if (isDue(post, sightings, call) && !until.mayHave(post)) {
                least.add(post);
            }
        });
        if (count > most) {
            return List.of(new Violation(
                    Rule.COUNT_TOO_HIGH,
                    "%s gives %d, but at most %d posts were not marked as seen;%s"
                            .formatted(line(call), count, most, seen.describe(origin))));
        }
        if (count < least.size()) {
            StringBuilder text = new StringBuilder(
                    "%s gives %d, but %d posts were shown and not marked as seen;%s; the first and the last of them:"
                            .formatted(line(call), count, least.size(), seen.describe(origin)));
            for (int i = 0; i < least.size(); i++) {
                if (i < PRINTED || i >= least.size() - PRINTED) {
                    text.append("\n  ").append(briefly(call.reader(), least.get(i)));
                }
            }
            return List.of(new Violation(Rule.COUNT_TOO_LOW, text.toString()));
        }
        return List.of();
    }

    private boolean isDue(Post post, Sightings sightings, Call call) {
        Call same = sightings.byEngine.get(call.engine());
        boolean visibleHere =
                (same != null && same.end() < call.start()) || sightings.first.end() + staleness < call.start();
        return visibleHere && life(post.key()).deleteStart > call.end();
    }

    private void see(Post post, Call call) {
        Sightings known = visible(call.reader()).computeIfAbsent(post, missing -> new Sightings(call));
        known.byEngine.putIfAbsent(call.engine(), call);
        known.latest = call;
        Long since = gone.getOrDefault(call.reader(), new HashMap<>()).remove(post.key());
        if (since != null) {
            longestGone = Math.max(longestGone, call.start() - since);
        }
    }

    /** A reader's whole feed when no operation is under way. */
    synchronized List<Post> feed(String reader) {
        return oracle.feed(reader);
    }

    /** The posts that were deleted. */
    synchronized Set<PostKey> deleted() {
        return oracle.tombstones();
    }

    private boolean isStored(Post post) {
        Life life = lives.get(post.key());
        return life != null && life.post.equals(post);
    }

    /** The number of compared posts and places. */
    synchronized long checks() {
        return checks;
    }

    synchronized int posts() {
        return lives.size();
    }

    /** The longest time in milliseconds from a page that lacked a visible post to the next that showed it. */
    synchronized long longestGone() {
        return longestGone;
    }

    synchronized Violation violation(Rule rule, ShownPage page, Post post) {
        List<Post> posts = page.posts();
        String shown = posts.isEmpty()
                ? "nothing"
                : posts.size() + " posts from " + place(posts.get(0)) + " down to "
                        + place(posts.get(posts.size() - 1));
        return new Violation(
                rule,
                line(page.call()) + " shows " + shown + (page.last() ? ", to the end" : "")
                        + (page.stale() ? ", stale" : "") + "\n  "
                        + describe(page.call().reader(), post));
    }

    private String briefly(String reader, Post post) {
        Life life = life(post.key());
        return "%s published by %s %s, first shown to %s"
                .formatted(
                        place(post),
                        life.publisher,
                        times(life.publishStart, life.publishEnd),
                        Optional.ofNullable(visible(reader).get(post))
                                .map(sightings -> line(sightings.first))
                                .orElse("nobody"));
    }

    private String describe(String reader, Post post) {
        Life life = lives.get(post.key());
        StringBuilder text = new StringBuilder(place(post));
        if (life == null) {
            return text.append(" was never published").toString();
        }
        text.append(" published by %s %s".formatted(life.publisher, times(life.publishStart, life.publishEnd)));
        if (life.deleteStart != NEVER) {
            text.append(", deleted ").append(times(life.deleteStart, life.deleteEnd));
        }
        text.append("; followed:").append(follows.describe(reader, post.author(), origin));
        Sightings sightings = visible(reader).get(post);
        if (sightings != null) {
            text.append("\n  first shown to ").append(line(sightings.first));
            sightings.byEngine.values().stream()
                    .filter(call -> !call.equals(sightings.first))
                    .forEach(call -> text.append("\n  then by ").append(line(call)));
            text.append("\n  last shown to ").append(line(sightings.latest));
        }
        return text.toString();
    }

    private String line(Call call) {
        return "%s by %s %s: %s".formatted(call.reader(), call.engine(), times(call.start(), call.end()), call.what());
    }

    private String place(Post post) {
        return "%s/%s@%d".formatted(post.author(), post.id(), millis(post) - origin);
    }

    private static long millis(Post post) {
        return post.publishedAt().toEpochMilli();
    }

    private String times(long start, long end) {
        return "[%d, %s]".formatted(start - origin, end == NEVER ? "unknown" : end - origin);
    }

    private Life life(PostKey key) {
        Life life = lives.get(key);
        if (life == null) {
            throw new IllegalStateException(key + " was not published");
        }
        return life;
    }

    private Map<Post, Sightings> visible(String reader) {
        return visible.computeIfAbsent(reader, missing -> new TreeMap<>(OracleFeed.NEWEST_FIRST));
    }

    private SeenTimes seen(String reader) {
        return marks.computeIfAbsent(reader, missing -> new SeenTimes());
    }
}
