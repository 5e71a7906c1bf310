package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Inserts posts into inboxes, and keeps deleted posts out. It inserts first, then checks which posts were deleted, and
 * retracts these. All insertions use this class, and record their progress only afterwards. If the check came before
 * the insertion, a post that is deleted in between would stay. Thread-safe.
 */
public final class CheckedInserts {

    private final Inbox inbox;
    private final Outbox outbox;
    private final Runnable beforeDelivery;

    /**
     * Inserts into inboxes.
     *
     * @param beforeDelivery looks whether a loss of deliveries is suspected: a delivery by an engine that has not
     *     noticed one for long would count as a later loss
     */
    public CheckedInserts(Inbox inbox, Outbox outbox, Runnable beforeDelivery) {
        this.inbox = inbox;
        this.outbox = outbox;
        this.beforeDelivery = beforeDelivery;
    }

    /** Delivers posts, and retracts deleted ones. Returns the deleted ones. */
    public Set<Post> deliver(List<Delivery> deliveries) {
        return deliver(deliveries, outcomes -> {});
    }

    /**
     * Delivers posts, and retracts deleted ones. Returns the deleted ones.
     *
     * @param delivered takes the outcomes of each delivery for its readers, also if the check then fails: a repetition
     *     finds the posts present
     */
    public Set<Post> deliver(List<Delivery> deliveries, Consumer<List<List<Outcome>>> delivered) {
        beforeDelivery.run();
        delivered.accept(inbox.deliver(deliveries));
        Set<Post> posts = new HashSet<>();
        deliveries.forEach(delivery -> posts.add(delivery.post()));
        Set<Post> deleted = new HashSet<>(deleted(posts));
        List<Retraction> retractions = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            if (deleted.contains(delivery.post())) {
                retractions.add(new Retraction(delivery.post(), delivery.readers()));
            }
        }
        retract(retractions);
        return deleted;
    }

    /** Merges posts into one inbox as {@link Inbox#merge} does, and retracts deleted ones. */
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        if (!inbox.merge(reader, generation, posts, floor)) {
            return false;
        }
        retractDeleted(reader, posts);
        return true;
    }

    /** Retracts deleted posts from the reader's inbox, and returns how many posts were deleted. */
    int retractDeleted(String reader, Collection<Post> posts) {
        List<Retraction> retractions = new ArrayList<>();
        deleted(posts).forEach(post -> retractions.add(new Retraction(post, List.of(reader))));
        retract(retractions);
        return retractions.size();
    }

    private void retract(List<Retraction> retractions) {
        if (!retractions.isEmpty()) {
            inbox.retract(retractions);
        }
    }

    /** The posts that do not exist any more. */
    public List<Post> deleted(Collection<Post> posts) {
        if (posts.isEmpty()) {
            return List.of();
        }
        Set<PostKey> existing = outbox.existing(posts.stream().map(Post::key).toList());
        return posts.stream().filter(post -> !existing.contains(post.key())).toList();
    }
}
