package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testservers.survival.Truth;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What was acknowledged before the server's file was flushed, or before its replica had it. Used by one thread, except
 * the truths.
 */
final class CertainPosts {

    private final Truth acknowledged;
    private final Truth certain = new Truth();
    private final Set<PostKey> doubtfulPosts = new HashSet<>();
    private final Set<PostKey> doubtfulDeletes = new HashSet<>();

    CertainPosts(Truth acknowledged) {
        this.acknowledged = acknowledged;
    }

    /** The posts and deletes that are certain. */
    Truth truth() {
        return certain;
    }

    /**
     * The file is about to be flushed, or the replica to be waited for, or nothing fails any more: what has been
     * acknowledged until now will be kept.
     */
    void isKept() {
        acknowledged.published().stream()
                .filter(post -> !doubtfulPosts.contains(post.key()))
                .forEach(certain::published);
        acknowledged.gone().stream()
                .filter(post -> !doubtfulDeletes.contains(post))
                .forEach(certain::deleted);
    }

    /**
     * The server was killed. Posts and deletes that were requested by then, and are not certain, may be seen later
     * although they were lost.
     */
    void serverWasKilled() {
        doubtfulPosts.addAll(acknowledged.asked());
        certain.published().forEach(post -> doubtfulPosts.remove(post.key()));
        doubtfulDeletes.addAll(acknowledged.asked());
        doubtfulDeletes.removeAll(certain.gone());
    }

    /**
     * Compares what is stored with what is certain.
     *
     * @return how many posts were lost
     */
    long lost(Set<Post> stored) {
        Predicate<Post> stays = post -> !acknowledged.gone().contains(post.key());
        assertThat(stored)
                .containsAll(certain.published().stream().filter(stays).collect(Collectors.toSet()))
                .noneMatch(post -> certain.gone().contains(post.key()));
        return acknowledged.published().stream()
                .filter(stays)
                .filter(post -> !stored.contains(post))
                .count();
    }
}
