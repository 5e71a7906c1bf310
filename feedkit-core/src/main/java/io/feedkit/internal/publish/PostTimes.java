package io.feedkit.internal.publish;

import io.feedkit.Post;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Outbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the times of new posts. Thread-safe. */
public final class PostTimes {

    private static final Logger log = LoggerFactory.getLogger(PostTimes.class);

    private static final Duration YEARS = Duration.ofDays(10 * 365);

    private final AtomicBoolean warned = new AtomicBoolean();
    private final EngineSettings settings;
    private final Outbox outbox;

    public PostTimes(EngineSettings settings, Outbox outbox) {
        this.settings = settings;
        this.outbox = outbox;
    }

    /** The present, in milliseconds. */
    long now() {
        return settings.now();
    }

    /**
     * Returns the posts as they are to be stored. A post that is dated ahead of the present is stored with the present.
     * So it does not show before its time, and does not lie above posts that are published later. An outbox that holds
     * posts back stores their own times, and shows each post at its time.
     *
     * @throws IllegalArgumentException if a post is dated ahead by more than the allowed skew
     */
    List<Post> admit(List<Post> posts) {
        Instant present = settings.clock().instant();
        warnOfSeconds(posts, present);
        if (outbox.holdsBack()) {
            return posts;
        }
        Instant latest = present.plus(settings.publishing().maxFutureSkew());
        List<Post> admitted = new ArrayList<>(posts.size());
        for (Post post : posts) {
            Instant at = post.publishedAt();
            if (at.isAfter(latest)) {
                throw new IllegalArgumentException("publishedAt of " + post.key() + " must not be later than " + latest
                        + " (now plus maxFutureSkew " + settings.publishing().maxFutureSkew() + "), but is " + at);
            }
            boolean ahead = at.isAfter(present);
            admitted.add(ahead ? new Post(post.author(), post.id(), present) : post);
        }
        return admitted;
    }

    /**
     * Warns once if a time was probably given in seconds: read as milliseconds, such a time of today is in January
     * 1970.
     */
    private void warnOfSeconds(List<Post> posts, Instant present) {
        for (Post post : posts) {
            Instant asSeconds = Instant.ofEpochSecond(post.publishedAt().toEpochMilli());
            if (Duration.between(asSeconds, present).abs().compareTo(YEARS) < 0 && warned.compareAndSet(false, true)) {
                log.warn(
                        "{}: the post {} is dated {}; its time was probably given in seconds, but milliseconds are"
                                + " expected",
                        settings.name(),
                        post.key(),
                        post.publishedAt());
            }
        }
    }
}
