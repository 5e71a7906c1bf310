package io.feedkit.testkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One reader's inbox, in the simplest code that fulfils the contract: without batches, threads or optimizations. The
 * tokens come from the store under test. The model leaves open what the contract leaves open.
 */
final class InboxModel {

    final InboxBounds bounds;
    final Map<String, Long> pendingFollows = new HashMap<>();

    /** The time, in milliseconds since the model began. */
    long time;

    State state = State.ABSENT;
    long generation;
    long mark;
    long followees;
    long epoch;

    private final TreeSet<Post> entries = new TreeSet<>(Position::compare);
    private final Set<Long> generations = new HashSet<>();
    private final Set<Long> epochs = new HashSet<>();
    private Position floor = Position.LOWEST;
    private long leaseEnds;
    private long renewed;

    /** Durations are chosen so that no sum of passed times equals one of them. */
    record InboxBounds(int cap, int stored, long liveWindow, long lease) {}

    InboxModel(InboxBounds bounds) {
        this.bounds = bounds;
    }

    /** Whether a generation was never seen before. */
    boolean isNewGeneration(long value) {
        return value > 0 && generations.add(value);
    }

    /** Whether an epoch was never seen before. */
    boolean isNewEpoch(long value) {
        return value > 0 && epochs.add(value);
    }

    /**
     * Whether time may pass without reaching a state that the contract leaves open: how long an abandoned building
     * inbox lasts.
     */
    boolean mayPass(long millis) {
        return state != State.BUILDING || time + millis - renewed < bounds.liveWindow;
    }

    void pass(long millis) {
        time += millis;
        if (state == State.LIVE && time - renewed >= bounds.liveWindow) {
            close();
        }
    }

    private void close() {
        state = State.ABSENT;
        generation = 0;
        mark = 0;
        followees = 0;
        entries.clear();
        floor = Position.LOWEST;
    }

    Outcome deliver(Post post, long seenSince) {
        if (state == State.ABSENT || (state == State.LIVE && renewed < seenSince)) {
            return Outcome.NOT_LIVE;
        }
        if (floor.compareOf(post) < 0) {
            return Outcome.BELOW_FLOOR;
        }
        if (!entries.add(post)) {
            return Outcome.PRESENT;
        }
        trim();
        return entries.contains(post) ? Outcome.ADDED : Outcome.BELOW_FLOOR;
    }

    private void trim() {
        if (entries.size() > bounds.stored) {
            while (entries.size() > bounds.cap) {
                entries.pollFirst();
            }
            floor = Position.of(entries.first());
        }
    }

    Opening.Status open(boolean replace) {
        if (state == State.BUILDING && time < leaseEnds) {
            return Opening.Status.BUSY;
        }
        return state == State.LIVE && !replace ? Opening.Status.LIVE : Opening.Status.OPENED;
    }

    void opened(long newGeneration) {
        close();
        state = State.BUILDING;
        generation = newGeneration;
        leaseEnds = time + bounds.lease;
        renewed = time;
    }

    boolean merge(long ofGeneration, List<Post> posts, Position newFloor) {
        if (state == State.ABSENT || generation != ofGeneration) {
            return false;
        }
        floor = Position.max(floor, newFloor);
        entries.addAll(posts);
        entries.removeIf(post -> floor.compareOf(post) < 0);
        trim();
        return true;
    }

    /** Whether a completion of this inbox for these followees sets a new epoch. */
    boolean movesEpoch(long ofGeneration, long newFollowees) {
        return state != State.ABSENT
                && generation == ofGeneration
                && (state == State.BUILDING || followees != newFollowees);
    }

    boolean complete(long ofGeneration, long newMark, long newFollowees) {
        if (state == State.ABSENT || generation != ofGeneration) {
            return false;
        }
        if (state == State.BUILDING) {
            state = State.LIVE;
            renewed = time;
        }
        mark = newMark;
        followees = newFollowees;
        return true;
    }

    void retract(Post post) {
        entries.remove(post);
    }

    boolean purge(List<String> authors, long token) {
        List<String> allowed = authors.stream()
                .filter(author -> pendingFollows.getOrDefault(author, epoch) == token)
                .toList();
        entries.removeIf(post -> allowed.contains(post.author()));
        return allowed.size() == authors.size();
    }

    Set<String> endFollow(List<String> authors, long token, long toggled) {
        Set<String> refused = new HashSet<>(authors);
        refused.removeIf(author -> pendingFollows.remove(author, token));
        if (refused.isEmpty() && state != State.ABSENT) {
            followees ^= toggled;
        }
        return refused;
    }

    void drop() {
        close();
        pendingFollows.clear();
        epoch = 0;
    }

    void visit() {
        if (state == State.LIVE) {
            renewed = time;
        }
    }

    /** Whether the store may keep or drop the epoch, because there is no inbox and no pending follow. */
    boolean epochIsOpen() {
        return state == State.ABSENT && pendingFollows.isEmpty();
    }

    /** The floor as readers see it. */
    Position presentedFloor() {
        if (state != State.LIVE) {
            return Position.HIGHEST;
        }
        return entries.size() > bounds.cap ? Position.of(served().get(0)) : floor;
    }

    /** The newest entries up to the cap, oldest first. */
    private List<Post> served() {
        List<Post> all = new ArrayList<>(state == State.LIVE ? entries : Set.of());
        return all.subList(Math.max(0, all.size() - bounds.cap), all.size());
    }

    List<Post> read(PositionRange range, Order order, int limit) {
        List<Post> inside = served().stream().filter(range::contains).toList();
        List<Post> ordered = order == Order.OLDEST_FIRST ? inside : Samples.newestFirst(inside);
        return ordered.subList(0, Math.min(limit, ordered.size()));
    }
}
