package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostArchive;
import io.feedkit.survival.Trap;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls of a mover, which pass through a trap. One thread of the process moves posts. */
final class TrappedMove {

    private final Trap<TierPoint> trap;
    private final Consumer<List<Post>> beforeRemove;
    private volatile @Nullable Thread mover;

    /** @param beforeRemove gets the posts whose rows are removed next */
    TrappedMove(Trap<TierPoint> trap, Consumer<List<Post>> beforeRemove) {
        this.trap = trap;
        this.beforeRemove = beforeRemove;
    }

    FeedStore through(FeedStore store) {
        return (ForwardingFeedStore) new ForwardingFeedStore() {
            @Override
            public FeedStore delegate() {
                return store;
            }

            @Override
            public Outbox outbox() {
                return new MovedOutbox(store.outbox());
            }
        };
    }

    PostArchive through(PostArchive archive) {
        return new Copies(archive);
    }

    /** Other threads use the archive, too. */
    private boolean isMover() {
        return Thread.currentThread() == mover;
    }

    private final class MovedOutbox implements ForwardingOutbox {

        private final Outbox delegate;

        private MovedOutbox(Outbox delegate) {
            this.delegate = delegate;
        }

        @Override
        public Outbox delegate() {
            return delegate;
        }

        @Override
        public Optional<ArchiveSource> archiveSource() {
            return delegate.archiveSource().map(Source::new);
        }
    }

    private final class Source implements ForwardingArchiveSource {

        private final ArchiveSource delegate;

        private Source(ArchiveSource delegate) {
            this.delegate = delegate;
        }

        @Override
        public ArchiveSource delegate() {
            return delegate;
        }

        /** Two movers work at the same time, as after a lease that ran out too early. */
        @Override
        public boolean leaseMover(String holder, long millis) {
            return true;
        }

        @Override
        public long raiseBoundary(long millis) {
            long boundary = delegate.raiseBoundary(millis);
            trap.at(TierPoint.MOVER_AFTER_RAISE);
            return boundary;
        }

        @Override
        public List<Post> remove(List<Post> posts, long settled) {
            beforeRemove.accept(posts);
            List<Post> removed = delegate.remove(posts, settled);
            trap.at(TierPoint.MOVER_AFTER_REMOVE);
            return removed;
        }
    }

    private final class Copies implements ForwardingPostArchive {

        private final PostArchive delegate;

        private Copies(PostArchive delegate) {
            this.delegate = delegate;
        }

        @Override
        public PostArchive delegate() {
            return delegate;
        }

        @Override
        public void store(List<Post> posts) {
            mover = Thread.currentThread();
            trap.at(TierPoint.MOVER_BEFORE_COPY);
            delegate.store(posts);
            trap.at(TierPoint.MOVER_AFTER_COPY);
        }

        @Override
        public Map<PostKey, Post> existing(Collection<PostKey> keys) {
            Map<PostKey, Post> existing = delegate.existing(keys);
            if (isMover()) {
                trap.at(TierPoint.MOVER_AFTER_LOOKUP);
            }
            return existing;
        }

        @Override
        public void delete(Collection<PostKey> keys) {
            if (isMover()) {
                trap.at(TierPoint.MOVER_BEFORE_DELETE);
            }
            delegate.delete(keys);
            if (isMover()) {
                trap.at(TierPoint.MOVER_AFTER_DELETE);
            }
        }
    }
}
