package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Merge;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Inserts posts into inboxes, and keeps out posts that the outboxes do not have. It inserts first, then compares the
 * posts with the outboxes. It retracts posts that were deleted. If a post is stored with another time by now, because
 * the host changed it, the post moves to its new position. All insertions use this class, and record their progress
 * only afterwards. If the comparison came before the insertion, a post that is deleted in between would stay.
 * Thread-safe.
 */
public final class CheckedInserts {

    /** How far a store's clock, which times deletions and marks, may be set back. */
    private static final long SET_BACK_MILLIS = 300_000;

    private static final int DELETED_EACH = 100;

    private final Inbox inbox;
    private final Outbox outbox;
    private final Runnable beforeDelivery;

    /**
     * Inserts into inboxes.
     *
     * @param beforeDelivery checks whether a loss of deliveries is suspected. If an engine delivers long after a loss
     *     that it has not noticed, the store reports another, later loss
     */
    public CheckedInserts(Inbox inbox, Outbox outbox, Runnable beforeDelivery) {
        this.inbox = inbox;
        this.outbox = outbox;
        this.beforeDelivery = beforeDelivery;
    }

    /** Delivers posts, retracts deleted ones, and moves others to their present positions. Returns the deleted ones. */
    public Set<Post> deliver(List<Delivery> deliveries) {
        return deliver(deliveries, outcomes -> {});
    }

    /**
     * Delivers posts as {@link #deliver(List)} does.
     *
     * @param delivered receives the outcomes of each delivery for its readers. It is called even if the check then
     *     fails, because a repetition finds the posts present
     */
    public Set<Post> deliver(List<Delivery> deliveries, Consumer<List<List<Outcome>>> delivered) {
        beforeDelivery.run();
        delivered.accept(inbox.deliver(deliveries));
        Map<PostKey, Post> existing = existing(deliveries.stream().map(Delivery::post));
        Set<Post> deleted = new HashSet<>();
        List<Delivery> moved = new ArrayList<>();
        List<Retraction> wrong = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            Post post = delivery.post();
            Post stored = existing.get(post.key());
            if (!post.equals(stored)) {
                wrong.add(new Retraction(post, delivery.readers()));
                if (stored == null) {
                    deleted.add(post);
                } else {
                    moved.add(new Delivery(stored, delivery.readers(), delivery.seenSince()));
                }
            }
        }
        retract(wrong);
        moved.removeIf(delivery -> isHeldBack(delivery.post()));
        if (!moved.isEmpty()) {
            deliver(moved, CheckedInserts::requireReached);
        }
        return deleted;
    }

    /** Merges posts into one inbox as {@link Inbox#merge} does, and corrects them. */
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        if (!inbox.merge(reader, generation, posts, floor)) {
            return false;
        }
        correct(reader, generation, posts);
        return true;
    }

    /**
     * Merges posts that were read from the outboxes as {@link #merge(String, long, List, Position)} does, but asks only
     * which were deleted since they were read, if the outbox can say that. This is a fraction of the cost for very many
     * posts.
     *
     * @param since a {@link Outbox#settledMark} from before the posts were read
     */
    public boolean mergeRead(String reader, long generation, List<Post> posts, Position floor, long since) {
        if (!inbox.merge(reader, generation, posts, floor)) {
            return false;
        }
        Set<String> authors = posts.stream().map(Post::author).collect(Collectors.toSet());
        Optional<Set<PostKey>> deleted = outbox.deletedSince(authors, since - SET_BACK_MILLIS, DELETED_EACH);
        Set<PostKey> suspects = deleted.orElse(Set.of());
        correct(
                reader,
                generation,
                deleted.isEmpty()
                        ? posts
                        : posts.stream()
                                .filter(post -> suspects.contains(post.key()))
                                .toList());
        return true;
    }

    /** Merges posts into many inboxes as {@link Inbox#merge(List)} does, and corrects them. */
    public List<Boolean> merge(List<Merge> merges) {
        List<Boolean> merged = inbox.merge(merges);
        Set<Post> posts = new HashSet<>();
        merges.forEach(merge -> posts.addAll(merge.posts()));
        Collection<Post> existing = existing(posts.stream()).values();
        posts.removeAll(new HashSet<>(existing));
        for (int i = 0; i < merges.size() && !posts.isEmpty(); i++) {
            Merge merge = merges.get(i);
            if (merged.get(i)) {
                correct(merge.reader(), merge.generation(), merge.posts());
            }
        }
        return merged;
    }

    /**
     * Retracts deleted posts from the reader's inbox, and moves posts with another time to their present positions.
     * Returns how many entries were retracted.
     */
    int correct(String reader, long generation, Collection<Post> posts) {
        Map<PostKey, Post> existing = existing(posts.stream());
        List<Retraction> wrong = new ArrayList<>();
        List<Post> moved = new ArrayList<>();
        for (Post post : posts) {
            Post stored = existing.get(post.key());
            if (!post.equals(stored)) {
                wrong.add(new Retraction(post, List.of(reader)));
                if (stored != null) {
                    moved.add(stored);
                }
            }
        }
        retract(wrong);
        moved.removeIf(this::isHeldBack);
        if (!moved.isEmpty()) {
            merge(reader, generation, moved, Position.LOWEST);
        }
        return wrong.size();
    }

    /** Whether the outbox holds back a post that exists, because its time has not come. */
    private boolean isHeldBack(Post post) {
        Position place = Position.of(post);
        return outbox.holdsBack()
                && outbox.newest(List.of(post.author()), new PositionRange(place, place.next()), 1)
                        .get(0)
                        .isEmpty();
    }

    /**
     * Throws if a post that was removed from its old position did not reach its new one, so that the task is repeated.
     */
    private static void requireReached(List<List<Outcome>> outcomes) {
        if (outcomes.stream().anyMatch(each -> each.contains(Outcome.UNREACHABLE))) {
            Throwable cause = new IllegalStateException("the inboxes of some readers cannot be reached");
            throw new StoreUnavailableException("inbox.deliver", cause);
        }
    }

    private void retract(List<Retraction> retractions) {
        if (!retractions.isEmpty()) {
            inbox.retract(retractions);
        }
    }

    /** Returns the posts that no longer exist. */
    public List<Post> deleted(Collection<Post> posts) {
        Map<PostKey, Post> existing = existing(posts.stream());
        return posts.stream().filter(post -> !existing.containsKey(post.key())).toList();
    }

    private Map<PostKey, Post> existing(Stream<Post> posts) {
        Set<PostKey> keys = posts.map(Post::key).collect(Collectors.toSet());
        return keys.isEmpty() ? Map.of() : outbox.existing(keys);
    }
}
