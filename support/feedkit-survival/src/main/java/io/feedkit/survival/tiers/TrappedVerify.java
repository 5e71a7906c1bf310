package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.survival.Trap;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testkit.forwarding.ForwardingPulledRegister;
import io.feedkit.testkit.forwarding.ForwardingSeenMarks;
import io.feedkit.testkit.forwarding.ForwardingWritableFollowGraph;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A store whose calls by {@code verify} pass through a trap. The process does nothing else. */
record TrappedVerify(FeedStore delegate, Trap<TierPoint> trap) implements ForwardingFeedStore {

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new TrappedInbox(delegate.inbox(limits), trap);
    }

    @Override
    public Outbox outbox() {
        return new TrappedOutbox(delegate.outbox(), trap);
    }

    @Override
    public FollowGraph graph() {
        return new TrappedGraph((WritableFollowGraph) delegate.graph(), trap);
    }

    @Override
    public SeenMarks seenMarks() {
        return new TrappedMarks(delegate.seenMarks(), trap);
    }

    static PostArchive archive(PostArchive archive, Trap<TierPoint> trap) {
        return new TrappedArchive(archive, trap);
    }

    private record TrappedArchive(PostArchive delegate, Trap<TierPoint> trap) implements ForwardingPostArchive {
        @Override
        public void delete(Collection<PostKey> keys) {
            trap.at(TierPoint.VERIFY_BEFORE_ARCHIVE_DELETE);
            delegate.delete(keys);
            trap.at(TierPoint.VERIFY_AFTER_ARCHIVE_DELETE);
        }
    }

    private record TrappedInbox(Inbox delegate, Trap<TierPoint> trap) implements ForwardingInbox {

        /** Slices of one post only ask for the state. */
        @Override
        public List<Slice> slice(List<SliceQuery> queries) {
            boolean isWindow = queries.get(0).limit() > 1;
            if (isWindow) {
                trap.at(TierPoint.VERIFY_BEFORE_WINDOW);
            }
            List<Slice> slices = delegate.slice(queries);
            if (isWindow) {
                trap.at(TierPoint.VERIFY_AFTER_WINDOW);
            }
            return slices;
        }

        @Override
        public Opening open(String reader, long leaseMillis, boolean replace) {
            Opening opening = delegate.open(reader, leaseMillis, replace);
            trap.at(TierPoint.VERIFY_AFTER_OPEN);
            return opening;
        }

        @Override
        public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
            trap.at(TierPoint.VERIFY_BEFORE_MERGE);
            boolean merged = delegate.merge(reader, generation, posts, floor);
            trap.at(TierPoint.VERIFY_AFTER_MERGE);
            return merged;
        }

        @Override
        public void retract(List<Retraction> retractions) {
            delegate.retract(retractions);
            trap.at(TierPoint.VERIFY_AFTER_RETRACT);
        }

        @Override
        public boolean complete(String reader, long generation, long mark, long followees) {
            trap.at(TierPoint.VERIFY_BEFORE_COMPLETE);
            boolean completed = delegate.complete(reader, generation, mark, followees);
            trap.at(TierPoint.VERIFY_AFTER_COMPLETE);
            return completed;
        }

        @Override
        public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
            trap.at(TierPoint.VERIFY_BEFORE_END_FOLLOW);
            Set<String> refused = delegate.endFollow(reader, authors, token, toggled);
            trap.at(TierPoint.VERIFY_AFTER_END_FOLLOW);
            return refused;
        }

        @Override
        public List<Set<String>> endFollow(List<PendingChange> changes) {
            trap.at(TierPoint.VERIFY_BEFORE_END_FOLLOW);
            List<Set<String>> refused = delegate.endFollow(changes);
            trap.at(TierPoint.VERIFY_AFTER_END_FOLLOW);
            return refused;
        }
    }

    private record TrappedOutbox(Outbox delegate, Trap<TierPoint> trap) implements ForwardingOutbox {
        @Override
        public PulledRegister pulled() {
            return new TrappedRegister(delegate.pulled(), trap);
        }
    }

    private record TrappedRegister(PulledRegister delegate, Trap<TierPoint> trap) implements ForwardingPulledRegister {
        @Override
        public void put(List<Post> unpushed) {
            trap.at(TierPoint.VERIFY_BEFORE_REGISTER);
            delegate.put(unpushed);
            trap.at(TierPoint.VERIFY_AFTER_REGISTER);
        }

        @Override
        public boolean remove(String author, long version) {
            trap.at(TierPoint.VERIFY_BEFORE_REGISTER);
            boolean removed = delegate.remove(author, version);
            trap.at(TierPoint.VERIFY_AFTER_REGISTER);
            return removed;
        }
    }

    private record TrappedGraph(WritableFollowGraph delegate, Trap<TierPoint> trap)
            implements ForwardingWritableFollowGraph {
        @Override
        public void recount(Collection<String> users) {
            trap.at(TierPoint.VERIFY_BEFORE_RECOUNT);
            delegate.recount(users);
            trap.at(TierPoint.VERIFY_AFTER_RECOUNT);
        }
    }

    private record TrappedMarks(SeenMarks delegate, Trap<TierPoint> trap) implements ForwardingSeenMarks {
        @Override
        public void reset(List<Seen> seen) {
            trap.at(TierPoint.VERIFY_BEFORE_RESET);
            delegate.reset(seen);
            trap.at(TierPoint.VERIFY_AFTER_RESET);
        }
    }
}
