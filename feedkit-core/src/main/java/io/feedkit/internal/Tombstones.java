package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox.Retraction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The check that every inserter makes after it has inserted, and before it records that it is done: checking before would let a deleted post rise again. */
final class Tombstones {

    private Tombstones() {}

    /** Takes those of the posts out of the reader's inbox that do not exist any more, and says how many they are. */
    static int retractDeleted(Parts parts, String reader, Collection<Post> posts) {
        List<Retraction> retractions = new ArrayList<>();
        for (Post gone : deleted(parts, posts)) {
            retractions.add(new Retraction(gone, List.of(reader)));
        }
        if (!retractions.isEmpty()) {
            parts.inbox().retract(retractions);
        }
        return retractions.size();
    }

    /** Those of the posts that do not exist any more. */
    static List<Post> deleted(Parts parts, Collection<Post> posts) {
        if (posts.isEmpty()) {
            return List.of();
        }
        List<PostKey> keys = posts.stream().map(Post::key).toList();
        Set<PostKey> existing = parts.outbox().existing(keys);
        return posts.stream().filter(post -> !existing.contains(post.key())).toList();
    }
}
