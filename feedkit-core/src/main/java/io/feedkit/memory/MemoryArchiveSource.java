package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.WarmPosts;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Moves posts out of a {@link MemoryOutbox}. It keeps the time of an author's latest append only, so an author's posts
 * move when all of them are settled.
 */
record MemoryArchiveSource(
        MemoryOutbox outbox,
        ConcurrentHashMap<String, AuthorOutbox> authors,
        MemoryPulledRegister pulled,
        AtomicLong archiveBoundary,
        Lease lease)
        implements ArchiveSource {

    @Override
    public long boundary() {
        return archiveBoundary.get();
    }

    @Override
    public long raiseBoundary(long millis) {
        return archiveBoundary.accumulateAndGet(millis, Math::max);
    }

    @Override
    public boolean leaseMover(String holder, long millis) {
        return lease.acquire(holder, millis);
    }

    @Override
    public Map<PostKey, Optional<Post>> known(Collection<PostKey> keys) {
        return known(keys, this::known);
    }

    private Optional<Optional<Post>> known(PostKey key) {
        AuthorOutbox author = authors.get(key.author());
        return author == null ? Optional.empty() : author.known(key.id());
    }

    private static Map<PostKey, Optional<Post>> known(
            Collection<PostKey> keys, Function<PostKey, Optional<Optional<Post>>> lookup) {
        Map<PostKey, Optional<Post>> known = new HashMap<>();
        keys.forEach(key -> lookup.apply(key).ifPresent(post -> known.put(key, post)));
        return Collections.unmodifiableMap(known);
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
        return delete(keys, archived, outbox::delete);
    }

    private interface Delete {
        boolean of(PostKey key, Optional<Post> archived);
    }

    private static List<Boolean> delete(List<PostKey> keys, Collection<Post> archived, Delete delete) {
        Map<PostKey, Post> byKey = archived.stream().collect(Collectors.toMap(Post::key, post -> post));
        List<Boolean> answers = new ArrayList<>(keys.size());
        for (PostKey key : keys) {
            answers.add(delete.of(key, Optional.ofNullable(byKey.get(key))));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<String> authors(String after, int limit) {
        return authors.keySet().stream()
                .filter(author -> author.compareTo(after) > 0)
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public List<Post> page(PageQuery query) {
        return outbox.page(query);
    }

    @Override
    public List<Post> movable(List<Post> posts, long settled) {
        return posts.stream().filter(post -> move(post, settled, false)).toList();
    }

    @Override
    public List<Post> remove(List<Post> posts, long settled) {
        return posts.stream().filter(post -> move(post, settled, true)).toList();
    }

    /** Returns whether a post may move, and removes it if that is wanted. */
    private boolean move(Post post, long settled, boolean remove) {
        AuthorOutbox author = authors.get(post.author());
        if (author == null) {
            return false;
        }
        synchronized (author) {
            boolean movable = author.lastAppended().orElse(Long.MIN_VALUE) < settled
                    && !pulled.isUnpushed(post)
                    && post.equals(author.find(post.id()));
            return movable && (!remove || author.remove(post));
        }
    }

    @Override
    public WarmPosts joining(PublishTransaction transaction) {
        return new Joined(this, outbox.open(transaction));
    }

    /** A lease that one of several callers has for a time. Thread-safe. */
    static final class Lease {

        private final Clock clock;
        private String holder = "";
        private long until;

        Lease(Clock clock) {
            this.clock = clock;
        }

        /** Gives a caller the lease, unless another one has it. Returns whether it has it. */
        boolean acquire(String caller, long millis) {
            return acquire(caller, clock.millis(), millis);
        }

        private synchronized boolean acquire(String caller, long now, long millis) {
            if (!holder.equals(caller) && now < until) {
                return false;
            }
            holder = caller;
            until = now + millis;
            return true;
        }
    }

    /** The view of a transaction. */
    private record Joined(MemoryArchiveSource source, InMemoryTransaction transaction) implements WarmPosts {

        @Override
        public long boundary() {
            return source.boundary();
        }

        @Override
        public Map<PostKey, Optional<Post>> known(Collection<PostKey> keys) {
            return MemoryArchiveSource.known(keys, transaction::known);
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
            return MemoryArchiveSource.delete(
                    keys, archived, (key, post) -> transaction.delete(key, post, source.outbox()));
        }
    }
}
