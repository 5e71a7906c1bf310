package io.feedkit.internal.rank;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Outbox;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The posts of a saved order that may be shown now: they exist, the reader follows their authors, and the host's filter
 * lets them through. Outbox and graph are asked for each chunk, and no cache is: so every delete and unfollow that has
 * returned is respected, on any engine.
 */
final class CheckedOrder implements RankedPosts {

    private final EngineSettings settings;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final String reader;
    private final SavedOrder order;
    private int outboxCalls;

    CheckedOrder(EngineSettings settings, Outbox outbox, FollowGraph graph, String reader, SavedOrder order) {
        this.settings = settings;
        this.outbox = outbox;
        this.graph = graph;
        this.reader = reader;
        this.order = order;
    }

    @Override
    public boolean atEnd() {
        return order.atEnd();
    }

    int outboxCalls() {
        return outboxCalls;
    }

    @Override
    public List<Ranked> next(int most) {
        int first = order.place();
        List<PostKey> keys = order.next(most);
        outboxCalls++;
        Map<PostKey, Post> existing = outbox.existing(keys);
        Set<String> followed = followed(existing.keySet());
        List<Ranked> shown = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Post post = existing.get(keys.get(i));
            if (post != null && followed.contains(post.author()) && !isHeldBack(post)) {
                shown.add(new Ranked(first + i, post));
            }
        }
        return RankContent.visible(settings.reading().filter(), reader, shown);
    }

    /** The authors of posts whose posts belong in the reader's feed. */
    private Set<String> followed(Set<PostKey> posts) {
        Set<String> authors = new HashSet<>();
        posts.forEach(post -> authors.add(post.author()));
        boolean own = settings.followees().ownPosts() && authors.remove(reader);
        if (authors.isEmpty()) {
            return own ? Set.of(reader) : Set.of();
        }
        Set<String> followed = new HashSet<>(graph.followed(reader, authors));
        if (own) {
            followed.add(reader);
        }
        return followed;
    }

    /** Whether the host has moved the time of a post into the future. */
    private boolean isHeldBack(Post post) {
        return outbox.holdsBack() && post.publishedAt().toEpochMilli() > settings.now();
    }
}
