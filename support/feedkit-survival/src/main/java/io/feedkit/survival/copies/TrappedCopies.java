package io.feedkit.survival.copies;

import io.feedkit.Post;
import io.feedkit.health.StoreDescription;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.survival.Trap;
import io.feedkit.survival.copies.CopyPoint.Role;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.List;
import java.util.Optional;

/** The calls of a copier or a filler, which pass through a trap. One thread of the process fills inboxes. */
final class TrappedCopies {

    private final CopyPoint point;
    private final Trap<CopyPoint> trap;

    /** Whether the inbox that is built has a copy. */
    private volatile boolean filling;

    TrappedCopies(CopyPoint point, Trap<CopyPoint> trap) {
        this.point = point;
        this.trap = trap;
    }

    FeedStore through(FeedStore store) {
        return new TrappedStore(store);
    }

    InboxCopies through(InboxCopies copies) {
        return new Copies(copies);
    }

    private void fillerAt(CopyPoint here) {
        if (filling) {
            trap.at(here);
        }
    }

    private final class Copies implements InboxCopies {

        private final InboxCopies delegate;

        private Copies(InboxCopies delegate) {
            this.delegate = delegate;
        }

        @Override
        public List<StoreDescription> describe() {
            return delegate.describe();
        }

        @Override
        public void claim(String identity) {
            delegate.claim(identity);
        }

        @Override
        public void store(List<Part> parts, long lifetimeMillis) {
            trap.at(CopyPoint.COPIER_BEFORE_STORE);
            if (point == CopyPoint.COPIER_WITHIN_STORE) {
                delegate.store(parts.subList(0, parts.size() / 2), lifetimeMillis);
                trap.at(CopyPoint.COPIER_WITHIN_STORE);
            }
            delegate.store(parts, lifetimeMillis);
            trap.at(CopyPoint.COPIER_AFTER_STORE);
        }

        @Override
        public void publish(List<Head> heads, long lifetimeMillis) {
            delegate.publish(heads, lifetimeMillis);
            trap.at(CopyPoint.COPIER_AFTER_PUBLISH);
        }

        @Override
        public List<Optional<Head>> heads(List<String> readers) {
            List<Optional<Head>> heads = delegate.heads(readers);
            filling = heads.stream().allMatch(Optional::isPresent);
            fillerAt(CopyPoint.FILLER_AFTER_HEADS);
            return heads;
        }

        @Override
        public List<List<Part>> parts(List<Head> heads) {
            List<List<Part>> parts = delegate.parts(heads);
            fillerAt(CopyPoint.FILLER_AFTER_PARTS);
            return parts;
        }

        @Override
        public void drop(List<String> readers) {
            delegate.drop(readers);
        }
    }

    private final class TrappedStore implements ForwardingFeedStore {

        private final FeedStore delegate;

        private TrappedStore(FeedStore delegate) {
            this.delegate = delegate;
        }

        @Override
        public FeedStore delegate() {
            return delegate;
        }

        @Override
        public Inbox inbox(InboxLimits limits) {
            return new FilledInbox(delegate.inbox(limits));
        }

        @Override
        public Outbox outbox() {
            return new AskedOutbox(delegate.outbox());
        }
    }

    private final class AskedOutbox implements ForwardingOutbox {

        private final Outbox delegate;

        private AskedOutbox(Outbox delegate) {
            this.delegate = delegate;
        }

        @Override
        public Outbox delegate() {
            return delegate;
        }

        @Override
        public List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
            List<Optional<List<Post>>> appended = delegate.appendedSince(authors, since, from, each);
            fillerAt(CopyPoint.FILLER_AFTER_CATCH_UP);
            return appended;
        }
    }

    private final class FilledInbox implements ForwardingInbox {

        private final Inbox delegate;

        private FilledInbox(Inbox delegate) {
            this.delegate = delegate;
        }

        @Override
        public Inbox delegate() {
            return delegate;
        }

        @Override
        public Opening open(String reader, long leaseMillis, boolean replace) {
            Opening opening = delegate.open(reader, leaseMillis, replace);
            if (opening.status() == Opening.Status.OPENED) {
                fillerAt(CopyPoint.FILLER_AFTER_OPEN);
            }
            return opening;
        }

        @Override
        public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
            boolean merged = delegate.merge(reader, generation, posts, floor);
            fillerAt(CopyPoint.FILLER_AFTER_MERGE);
            return merged;
        }

        @Override
        public boolean complete(String reader, long generation, long mark, long followees) {
            fillerAt(CopyPoint.FILLER_BEFORE_COMPLETE);
            boolean completed = delegate.complete(reader, generation, mark, followees);
            fillerAt(CopyPoint.FILLER_AFTER_COMPLETE);
            if (point.role() == Role.COPIER) {
                trap.at(CopyPoint.COPIER_AFTER_COMPLETE);
            }
            filling = false;
            return completed;
        }
    }
}
