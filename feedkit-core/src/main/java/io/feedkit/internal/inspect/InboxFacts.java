package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.health.Health.Part;
import io.feedkit.inspect.InboxState;
import io.feedkit.inspect.InboxState.Status;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Inbox.Window;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A reader's inbox as it was read, as a whole and without a renewal.
 *
 * @param slice all entries that the inbox serves; empty if the inbox store cannot be reached
 * @param window the live window, as it was before the slice was read
 */
record InboxFacts(Optional<Slice> slice, Window window) {

    /** Reads an inbox. The window comes first, because reading a slice may close an inbox that has expired. */
    static InboxFacts read(StoreParts parts, Inbox inbox, String reader, int cap) {
        Optional<Window> window =
                parts.ask(Part.INBOX, () -> inbox.windows(List.of(reader)).get(0));
        SliceQuery all = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, cap, false);
        Optional<Slice> slice =
                parts.ask(Part.INBOX, () -> inbox.slice(List.of(all)).get(0));
        return new InboxFacts(slice, window.orElse(Window.UNKNOWN));
    }

    boolean isReachable() {
        return slice.isPresent();
    }

    boolean isLive() {
        return slice.filter(each -> each.state() == State.LIVE).isPresent();
    }

    boolean isPending(String author) {
        return slice.filter(each -> each.pending().contains(author)).isPresent();
    }

    /** The entry of a post, whatever its time is. */
    Optional<Post> entry(PostKey key) {
        return entries(key).stream().findFirst();
    }

    /** All entries of a post. */
    List<Post> entries(PostKey key) {
        return slice.map(each -> each.posts().stream()
                        .filter(post -> post.key().equals(key))
                        .toList())
                .orElse(List.of());
    }

    /** The inbox as pages see it, without entries at places that their posts have left. */
    InboxFacts without(Set<Post> left) {
        return new InboxFacts(
                slice.map(each -> new Slice(
                        each.state(),
                        each.posts().stream()
                                .filter(post -> !left.contains(post))
                                .toList(),
                        each.floor(),
                        each.generation(),
                        each.mark(),
                        each.followees(),
                        each.epoch(),
                        each.pending())),
                window);
    }

    boolean isBelowFloor(Post post) {
        return slice.filter(each -> each.floor().compareOf(post) < 0).isPresent();
    }

    /** Whether the inbox was built or compared for others than these followees, and no follow is pending. */
    boolean isForOthersThan(FolloweeSet followees) {
        return isLive()
                && slice.filter(each -> each.pending().isEmpty() && each.followees() != followees.checksum())
                        .isPresent();
    }

    /** The state, for operators. */
    InboxState state(Optional<FolloweeSet> followees) {
        Optional<Slice> live = slice.filter(each -> each.state() == State.LIVE);
        List<Post> posts = live.map(Slice::posts).orElse(List.of());
        return new InboxState(
                status(),
                posts.size(),
                posts.stream().findFirst(),
                posts.isEmpty() ? Optional.empty() : Optional.of(posts.get(posts.size() - 1)),
                live.map(Slice::floor)
                        .filter(floor -> !floor.equals(Position.LOWEST))
                        .map(floor -> Instant.ofEpochMilli(floor.millis())),
                time(window.renewedAt()),
                time(window.endsAt()),
                live.flatMap(each -> time(each.mark())),
                followees.filter(this::isForOthersThan).isPresent());
    }

    private Status status() {
        State state = slice.map(Slice::state).orElse(null);
        if (state == null) {
            return Status.UNREACHABLE;
        }
        return switch (state) {
            case LIVE -> Status.LIVE;
            case BUILDING -> Status.BUILDING;
            case ABSENT -> window.equals(Window.UNKNOWN) ? Status.ABSENT : Status.EXPIRED;
        };
    }

    private static Optional<Instant> time(long millis) {
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
