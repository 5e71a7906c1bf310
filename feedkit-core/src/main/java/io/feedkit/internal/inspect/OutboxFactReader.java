package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Collects what the outbox, its tasks and its register know of a post. Thread-safe. */
public final class OutboxFactReader {

    private final Outbox outbox;
    private final RegisterCache registerCache;

    public OutboxFactReader(Outbox outbox, RegisterCache registerCache) {
        this.outbox = outbox;
        this.registerCache = registerCache;
    }

    /** Reads the post, then its tasks, then the register: a task ends, and an author leaves, after the post's push. */
    InOutbox read(PostKey key) {
        Optional<Post> post = Optional.ofNullable(outbox.existing(List.of(key)).get(key));
        boolean tombstone = post.isEmpty() && outbox.tombstones(List.of(key)).contains(key);
        Found found = outbox.fanout().find(key.author(), FanoutLog.COUNTED_AT_MOST);
        RegisterView register = registerCache.latest(Set.of(key.author()));
        return new InOutbox(
                post,
                tombstone,
                post.filter(this::isAhead).isPresent(),
                register,
                PostTasks.about(key, post.map(Position::of), found.tasks()),
                found.whole(),
                !found.whole() && isSettled(key.author()));
    }

    private boolean isAhead(Post post) {
        Position place = Position.of(post);
        return outbox.holdsBack()
                && outbox.newest(List.of(post.author()), new PositionRange(place, place.next()), 1)
                        .get(0)
                        .isEmpty();
    }

    private boolean isSettled(String author) {
        long mark = outbox.settledMark();
        Map<String, Long> appended = outbox.lastAppended(List.of(author));
        return appended.getOrDefault(author, Long.MIN_VALUE) < mark;
    }
}
