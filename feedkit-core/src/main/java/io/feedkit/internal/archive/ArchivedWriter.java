package io.feedkit.internal.archive;

import static java.util.stream.Collectors.toSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.WarmPosts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Writes to an outbox whose old posts may be in an archive.
 *
 * <p>A post is looked up only if it is older than the boundary. The outbox is asked first, then the archive, so a post
 * that moves in between is found. A post that neither has is new.
 */
final class ArchivedWriter implements OutboxWriter {

    /** The minimum age of archived posts is a day. Posts that are younger than this are not looked up at all. */
    private static final Duration NEVER_ARCHIVED = Duration.ofHours(12);

    /** How far the boundary may rise unnoticed between a lookup and the write. */
    private static final long MARGIN_MILLIS = Duration.ofHours(1).toMillis();

    private final OutboxWriter writer;
    private final WarmPosts warm;
    private final Function<Collection<PostKey>, Map<PostKey, Post>> archived;
    private final LongSupplier boundary;
    private final Clock clock;

    ArchivedWriter(
            OutboxWriter writer,
            WarmPosts warm,
            Function<Collection<PostKey>, Map<PostKey, Post>> archived,
            LongSupplier boundary,
            Clock clock) {
        this.writer = writer;
        this.warm = warm;
        this.archived = archived;
        this.boundary = boundary;
        this.clock = clock;
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return append(publications, Publication::post, writer::append);
    }

    /** Answers what is known, and writes the rest. */
    <T> List<Appended> append(List<T> things, Function<T, Post> toPost, Function<List<T>, List<Appended>> write) {
        Map<PostKey, Optional<Post>> known = known(things.stream().map(toPost).toList());
        if (known.isEmpty()) {
            return write.apply(things);
        }
        List<T> fresh = things.stream()
                .filter(thing -> !known.containsKey(toPost.apply(thing).key()))
                .toList();
        Iterator<Appended> written = (fresh.isEmpty() ? List.<Appended>of() : write.apply(fresh)).iterator();
        List<Appended> answers = new ArrayList<>(things.size());
        for (T thing : things) {
            Post post = toPost.apply(thing);
            Optional<Post> stored = known.get(post.key());
            answers.add(
                    stored == null
                            ? written.next()
                            : stored.map(earlier -> new Appended(Status.SAME, earlier))
                                    .orElseGet(() -> new Appended(Status.DELETED, post)));
        }
        return Collections.unmodifiableList(answers);
    }

    /** The old posts among these that were published before; empty for deleted ones. */
    private Map<PostKey, Optional<Post>> known(List<Post> posts) {
        long latest = clock.millis() - NEVER_ARCHIVED.toMillis();
        Set<Post> old = olderThan(posts, latest);
        if (!old.isEmpty()) {
            old = olderThan(old, lookedUpBelow());
        }
        if (old.isEmpty()) {
            return Map.of();
        }
        Set<PostKey> keys = old.stream().map(Post::key).collect(toSet());
        Map<PostKey, Optional<Post>> known = new HashMap<>(warm.known(keys));
        keys.removeAll(known.keySet());
        if (!keys.isEmpty()) {
            archived.apply(keys).forEach((key, post) -> known.put(key, Optional.of(post)));
        }
        return known;
    }

    private static Set<Post> olderThan(Collection<Post> posts, long millis) {
        return posts.stream()
                .filter(post -> post.publishedAt().toEpochMilli() < millis)
                .collect(toSet());
    }

    private long lookedUpBelow() {
        long millis = boundary.getAsLong();
        return millis == 0 ? 0 : millis + MARGIN_MILLIS;
    }

    /**
     * Deletes posts. Those that are old are named to the outbox with their times, so that one that has moved, or moves
     * in between, is deleted as if its row were there. The tombstone hides the archive's copy; the end of the
     * retraction deletes it.
     */
    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        long below = keys.isEmpty() ? 0 : lookedUpBelow();
        if (below == 0) {
            return writer.delete(keys);
        }
        Map<PostKey, Optional<Post>> rows = warm.known(keys);
        Set<PostKey> unknown = new HashSet<>(keys);
        unknown.removeAll(rows.keySet());
        Set<Post> old =
                olderThan(rows.values().stream().flatMap(Optional::stream).toList(), below);
        if (!unknown.isEmpty()) {
            old.addAll(archived.apply(unknown).values());
        }
        return old.isEmpty() ? writer.delete(keys) : warm.delete(keys, old);
    }
}
