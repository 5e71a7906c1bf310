package io.feedkit.redis.survival;

import io.feedkit.PostKey;
import io.feedkit.testservers.survival.Truth;
import java.util.HashSet;
import java.util.Set;

/** What was acknowledged before the server's file was flushed. Used by one thread, apart from the truths. */
final class CertainTruth {

    private final Truth acknowledged;
    private final Truth certain = new Truth();
    private final Set<PostKey> doubtfulPosts = new HashSet<>();
    private final Set<PostKey> doubtfulDeletes = new HashSet<>();

    CertainTruth(Truth acknowledged) {
        this.acknowledged = acknowledged;
    }

    /** The posts and deletes that are certain. */
    Truth truth() {
        return certain;
    }

    /** The file is about to be flushed: what has been acknowledged until now will be kept. */
    void fileIsFlushed() {
        acknowledged.published().stream()
                .filter(post -> !doubtfulPosts.contains(post.key()))
                .forEach(certain::published);
        acknowledged.gone().stream()
                .filter(post -> !doubtfulDeletes.contains(post))
                .forEach(certain::deleted);
    }

    /** The server was killed: what had been asked for by then, and is not certain, may be heard of later although it was lost. */
    void serverWasKilled() {
        doubtfulPosts.addAll(acknowledged.asked());
        certain.published().forEach(post -> doubtfulPosts.remove(post.key()));
        doubtfulDeletes.addAll(acknowledged.asked());
        doubtfulDeletes.removeAll(certain.gone());
    }
}
