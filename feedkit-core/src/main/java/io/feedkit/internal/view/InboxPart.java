package io.feedkit.internal.view;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Set;

/** What an inbox contributes to a feed. */
public sealed interface InboxPart {

    /** An inbox that receives pushed posts. It holds all of them from its floor upwards. */
    record Live(Slice slice) implements InboxPart {

        @Override
        public List<Post> posts() {
            return slice.posts();
        }

        @Override
        public Position floor() {
            return slice.floor();
        }

        @Override
        public Set<String> pending() {
            return slice.pending();
        }

        @Override
        public long epoch() {
            return slice.epoch();
        }
    }

    /** There is no inbox that could be used: the feed is read from the outboxes. */
    record Absent(long epoch, Set<String> pending) implements InboxPart {}

    /** The store does not answer: nothing is known of the inbox. */
    record Unreachable() implements InboxPart {}

    /** The part that a slice is. */
    static InboxPart of(Slice slice) {
        return slice.state() == State.LIVE ? new Live(slice) : absent(slice);
    }

    /** The part of an inbox that cannot be used. */
    static InboxPart absent(Slice slice) {
        return new Absent(slice.epoch(), slice.pending());
    }

    /** Entries of a live inbox, in the order in which they were requested. */
    default List<Post> posts() {
        return List.of();
    }

    /** The lowest position down to which the inbox is complete; the highest position without a live inbox. */
    default Position floor() {
        return Position.HIGHEST;
    }

    /** The follow epoch of the reader; 0 if it is not known. */
    default long epoch() {
        return 0;
    }

    /** The authors whose follow has begun and not ended: the inbox may lack posts of them. */
    default Set<String> pending() {
        return Set.of();
    }
}
