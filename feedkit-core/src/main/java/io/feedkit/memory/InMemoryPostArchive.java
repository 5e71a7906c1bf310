package io.feedkit.memory;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * An archive of posts in the memory of this process, for tests, and the reference for what {@link PostArchive} means.
 * Several engines may share it. Its data is lost when it is discarded. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class InMemoryPostArchive implements PostArchive {

    private final ConcurrentHashMap<String, AuthorOutbox> authors = new ConcurrentHashMap<>();
    private String owner = "";

    private InMemoryPostArchive() {}

    /**
     * Creates an empty archive.
     *
     * @return a new archive
     */
    public static InMemoryPostArchive create() {
        return new InMemoryPostArchive();
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                Set.of(Data.ARCHIVE), "the memory of this process", "lost when the process ends", List.of()));
    }

    @Override
    public synchronized void claim(String identity) {
        nonNull("identity", identity);
        String before = owner.isEmpty() && size() > 0 ? "unknown" : owner;
        if (!before.isEmpty() && !before.equals(identity)) {
            throw new ForeignStoreException(
                    "the posts of the archive " + this,
                    before,
                    identity,
                    "give each source of truth an archive of its own");
        }
        owner = identity;
    }

    @Override
    public void store(List<Post> posts) {
        for (Post post : posts) {
            AuthorOutbox author = authors.computeIfAbsent(post.author(), missing -> new AuthorOutbox());
            synchronized (author) {
                Post earlier = author.find(post.id());
                if (earlier != null) {
                    author.remove(earlier);
                }
                author.add(post, 0);
            }
        }
    }

    @Override
    public void delete(Collection<PostKey> keys) {
        for (PostKey key : keys) {
            AuthorOutbox author = authors.get(key.author());
            if (author != null) {
                synchronized (author) {
                    Post post = author.find(key.id());
                    if (post != null) {
                        author.remove(post);
                    }
                }
            }
        }
    }

    @Override
    public List<List<Post>> newest(List<String> authorIds, PositionRange range, int each) {
        List<List<Post>> answers = new ArrayList<>(authorIds.size());
        for (String id : authorIds) {
            AuthorOutbox author = authors.get(id);
            answers.add(author == null ? List.of() : List.copyOf(author.page(range, Order.NEWEST_FIRST, each)));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return List.copyOf(new PageMerge(query.range(), query.order(), query.limit())
                .of(known(query.authors()).toList()));
    }

    private Stream<AuthorOutbox> known(Collection<String> authorIds) {
        return authorIds.stream().map(authors::get).filter(Objects::nonNull);
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        Map<PostKey, Post> existing = new HashMap<>();
        for (PostKey key : keys) {
            AuthorOutbox author = authors.get(key.author());
            Post post = author == null ? null : author.find(key.id());
            if (post != null) {
                existing.put(key, post);
            }
        }
        return Collections.unmodifiableMap(existing);
    }

    @Override
    public long size() {
        return authors.values().stream().mapToLong(AuthorOutbox::size).sum();
    }

    @Override
    public String toString() {
        return "InMemoryPostArchive@" + Integer.toHexString(System.identityHashCode(this));
    }
}
