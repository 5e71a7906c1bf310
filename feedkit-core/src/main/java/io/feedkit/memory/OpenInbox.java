package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Set;

/** One opening of a reader's inbox. Guarded by the lock of its {@link ReaderInbox}. */
final class OpenInbox {

    private final long generation;
    private final long leaseUntil;
    private final SortedChunks<Post> posts = new SortedChunks<>(Position::compare);
    private Position floor = Position.LOWEST;
    private boolean live;
    private long lastRenewed;
    private long mark;
    private long followees;

    OpenInbox(long generation, long leaseUntil) {
        this.generation = generation;
        this.leaseUntil = leaseUntil;
    }

    long generation() {
        return generation;
    }

    boolean isLive() {
        return live;
    }

    boolean isLeased(long now) {
        return !live && now < leaseUntil;
    }

    /** When the window was last renewed. */
    long lastRenewed() {
        return lastRenewed;
    }

    long mark() {
        return mark;
    }

    long followees() {
        return followees;
    }

    void complete(long newMark, long newFollowees, long now) {
        if (!live) {
            live = true;
            lastRenewed = now;
        }
        mark = newMark;
        followees = newFollowees;
    }

    void toggle(long toggled) {
        followees ^= toggled;
    }

    void renew(long now) {
        lastRenewed = Math.max(lastRenewed, now);
    }

    Inbox.Outcome deliver(Post post, long seenSince, int stored, int cap) {
        if (live && lastRenewed < seenSince) {
            return Inbox.Outcome.NOT_LIVE;
        }
        if (floor.compareOf(post) < 0) {
            return Inbox.Outcome.BELOW_FLOOR;
        }
        if (!posts.add(post)) {
            return Inbox.Outcome.PRESENT;
        }
        trim(stored, cap);
        return floor.compareOf(post) < 0 ? Inbox.Outcome.BELOW_FLOOR : Inbox.Outcome.ADDED;
    }

    void merge(List<Post> given, Position newFloor, InboxLimits limits) {
        if (newFloor.compareTo(floor) > 0) {
            floor = newFloor;
            posts.removeBelow(floor::compareOf);
        }
        for (Post post : given) {
            if (floor.compareOf(post) >= 0) {
                posts.add(post);
            }
        }
        trim(limits.stored(), limits.cap());
    }

    void retract(Post post) {
        posts.remove(post);
    }

    void remove(PostKey key) {
        posts.removeIf(post -> post.id().equals(key.id()) && post.author().equals(key.author()));
    }

    void purge(Set<String> authors) {
        posts.removeIf(post -> authors.contains(post.author()));
    }

    /** The floor as a view with this cap shows it. */
    Position floor(int cap) {
        return posts.size() > cap ? Position.of(posts.get(posts.size() - cap)) : floor;
    }

    List<Post> posts(Inbox.SliceQuery query, Position shownFloor) {
        Position from = Position.max(query.range().from(), shownFloor);
        Position below = query.range().below();
        return query.order() == Order.NEWEST_FIRST
                ? posts.descending(from::compareOf, below::compareOf, query.limit())
                : posts.ascending(from::compareOf, below::compareOf, query.limit());
    }

    /** How many entries there are from a position upwards, without entries that are counted apart. */
    int count(Inbox.CountQuery query, Position from) {
        int all = posts.countFrom(from::compareOf);
        if (query.apart().isEmpty()) {
            return all;
        }
        return (int) posts.descending(from::compareOf, Position.HIGHEST::compareOf, all).stream()
                .filter(post -> !query.isApart(post))
                .count();
    }

    private void trim(int stored, int cap) {
        if (posts.size() > stored) {
            posts.removeLowest(posts.size() - cap);
            floor = Position.of(posts.get(0));
        }
    }
}
