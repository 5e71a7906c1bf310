package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.health.Health.Part;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.inspect.PostFacts.Edge;
import io.feedkit.internal.inspect.PostFacts.InOutbox;
import io.feedkit.internal.transaction.HostChanges;
import io.feedkit.internal.view.OldPlaces;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Collects what is known of a post and a reader. The order matters, because the fan-out continues meanwhile: the post
 * is read before its tasks, the tasks before the register, and the register before the inbox. A task that ends in
 * between has done its work where the later reads find it. Thread-safe.
 */
public final class FactReader {

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final RegisterCache registerCache;
    private final FolloweeCache followeeCache;
    private final OldPlaces oldPlaces;
    private final LiveInboxes inboxes;
    private final HostChanges changes;

    public FactReader(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FollowGraph graph,
            RegisterCache registerCache,
            FolloweeCache followeeCache,
            OldPlaces oldPlaces,
            LiveInboxes inboxes,
            HostChanges changes) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.graph = graph;
        this.registerCache = registerCache;
        this.followeeCache = followeeCache;
        this.oldPlaces = oldPlaces;
        this.inboxes = inboxes;
        this.changes = changes;
    }

    PostFacts read(StoreParts parts, String reader, PostKey key) {
        Optional<InOutbox> inOutbox = parts.ask(Part.OUTBOX, () -> inOutbox(key));
        InboxFacts facts = asInPages(parts, inboxOf(parts, reader), key);
        Optional<FolloweeSet> loaded = parts.ask(Part.FOLLOW_GRAPH, () -> followeeCache.load(reader));
        FolloweeSet inPages = facts.slice()
                .flatMap(slice -> held(reader, slice))
                .or(() -> loaded)
                .orElse(FolloweeSet.NOBODY);
        boolean applied =
                loaded.filter(set -> isApplied(reader, key.author(), set)).isPresent();
        Optional<Edge> edge = loaded.flatMap(
                set -> parts.ask(Part.FOLLOW_GRAPH, () -> edge(reader, key.author(), set, applied ? set : inPages)));
        boolean delivers = reader.equals(key.author()) && changes.isPostRemembered(key);
        return new PostFacts(
                reader, key, inOutbox, facts, edge, delivers || applied || wouldReconcile(reader, facts, inPages));
    }

    /** The followees that a page would use without loading them. A page that builds the inbox loads them. */
    private Optional<FolloweeSet> held(String reader, Slice slice) {
        return inboxes.wouldBuild(reader, slice) ? Optional.empty() : followeeCache.held(reader, slice);
    }

    private InboxFacts asInPages(StoreParts parts, InboxFacts facts, PostKey key) {
        Set<Post> left = parts.ask(Part.OUTBOX, () -> oldPlaces.among(facts.entries(key)))
                .orElse(Set.of());
        return left.isEmpty() ? facts : facts.without(left);
    }

    InboxFacts inboxOf(StoreParts parts, String reader) {
        return InboxFacts.read(parts, inbox, reader, settings.limits().cap());
    }

    private InOutbox inOutbox(PostKey key) {
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

    private Edge edge(String reader, String author, FolloweeSet loaded, FolloweeSet inPages) {
        boolean isFollowee = loaded.authors().contains(author);
        boolean inGraph = isFollowee || !graph.followed(reader, List.of(author)).isEmpty();
        return new Edge(loaded, inPages.authors().contains(author), inGraph);
    }

    /** Whether the next read applies a follow or unfollow that was reported in a transaction, and is committed now. */
    private boolean isApplied(String reader, String author, FolloweeSet loaded) {
        return changes.isFollowRemembered(reader, author, loaded.authors().contains(author));
    }

    private boolean wouldReconcile(String reader, InboxFacts facts, FolloweeSet inPages) {
        Optional<Slice> slice = facts.slice();
        return slice.isPresent() && inboxes.wouldReconcile(reader, slice.get(), inPages);
    }
}
