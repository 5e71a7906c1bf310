package io.feedkit.internal.inspect;

import io.feedkit.PostKey;
import io.feedkit.health.Health.Part;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.inspect.PostFacts.Edge;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.internal.transaction.HostChanges;
import io.feedkit.spi.FollowGraph;
import java.util.List;
import java.util.Optional;

/**
 * Collects what is known of a post and a reader. The order matters, because the fan-out continues meanwhile: the post
 * is read before its tasks, the tasks before the register, and the register before the inbox. A task that ends in
 * between has done its work where the later reads find it. Thread-safe.
 */
public final class FactReader {

    private final InboxFactReader inboxes;
    private final OutboxFactReader outboxes;
    private final FollowGraph graph;
    private final FolloweeCache followeeCache;
    private final HostChanges changes;

    public FactReader(
            InboxFactReader inboxes,
            OutboxFactReader outboxes,
            FollowGraph graph,
            FolloweeCache followeeCache,
            HostChanges changes) {
        this.inboxes = inboxes;
        this.outboxes = outboxes;
        this.graph = graph;
        this.followeeCache = followeeCache;
        this.changes = changes;
    }

    PostFacts read(StoreParts parts, String reader, PostKey key) {
        Optional<InOutbox> inOutbox = parts.ask(Part.OUTBOX, () -> outboxes.read(key));
        InboxFacts facts = inboxes.readAsInPages(parts, reader, key);
        Optional<FolloweeSet> loaded = parts.ask(Part.FOLLOW_GRAPH, () -> followeeCache.load(reader));
        FolloweeSet inPages = facts.slice()
                .flatMap(slice -> inboxes.followeesHeld(reader, slice))
                .or(() -> loaded)
                .orElse(FolloweeSet.NOBODY);
        boolean applied =
                loaded.filter(set -> isApplied(reader, key.author(), set)).isPresent();
        Optional<Edge> edge = loaded.flatMap(
                set -> parts.ask(Part.FOLLOW_GRAPH, () -> edge(reader, key.author(), set, applied ? set : inPages)));
        boolean delivers = reader.equals(key.author()) && changes.isPostRemembered(key);
        return new PostFacts(
                reader,
                key,
                inOutbox,
                facts,
                edge,
                delivers || applied || inboxes.wouldReconcile(reader, facts, inPages));
    }

    private Edge edge(String reader, String author, FolloweeSet loaded, FolloweeSet inPages) {
        boolean isFollowee = loaded.authors().contains(author);
        boolean inGraph = isFollowee || !graph.followed(reader, List.of(author)).isEmpty();
        return new Edge(loaded, inPages.authors().contains(author), inGraph);
    }

    /** Whether the next read applies a follow or unfollow that was reported in a transaction, and is committed now. */
    private boolean isApplied(String reader, String author, FolloweeSet loaded) {
        return changes.isFollowRemembered(reader, author, loaded.authors().contains(author));
    }
}
