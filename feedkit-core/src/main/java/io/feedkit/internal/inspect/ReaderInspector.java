package io.feedkit.internal.inspect;

import io.feedkit.Cursor;
import io.feedkit.health.Health.Part;
import io.feedkit.inspect.FolloweeState;
import io.feedkit.inspect.PulledAuthor;
import io.feedkit.inspect.ReaderState;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads the state of a reader's feed. Changes nothing in a store. Thread-safe. */
public final class ReaderInspector {

    private final InboxFactReader inboxes;
    private final Outbox outbox;
    private final SeenMarks seenMarks;
    private final FolloweeCache followeeCache;
    private final Connections connections;
    private final Function<SeenPosts, Cursor> cursors;

    public ReaderInspector(
            InboxFactReader inboxes,
            Outbox outbox,
            SeenMarks seenMarks,
            FolloweeCache followeeCache,
            Connections connections,
            Function<SeenPosts, Cursor> cursors) {
        this.inboxes = inboxes;
        this.outbox = outbox;
        this.seenMarks = seenMarks;
        this.followeeCache = followeeCache;
        this.connections = connections;
        this.cursors = cursors;
    }

    /** Inspects. If parts of the store cannot be reached, the state names them. */
    public ReaderState inspect(String reader) {
        StoreParts parts = new StoreParts();
        InboxFacts inbox = inboxes.read(parts, reader);
        Optional<FolloweeSet> followees = parts.ask(Part.FOLLOW_GRAPH, () -> followeeCache.load(reader));
        Set<String> authors = new TreeSet<>(followees.map(FolloweeSet::authors).orElse(Set.of()));
        Map<String, PulledAuthor> pulled =
                parts.ask(Part.OUTBOX, () -> pulled(authors)).orElse(Map.of());
        authors.remove(reader);
        Optional<SeenPosts> seen = parts.ask(
                        Part.SEEN_MARKS,
                        () -> seenMarks.lastSeen(List.of(reader)).get(0))
                .filter(mark -> !mark.equals(SeenPosts.NOTHING));
        return new ReaderState(
                reader,
                inbox.state(followees),
                new FolloweeState(
                        authors.size(),
                        followees.filter(set -> !set.isWhole()).isPresent(),
                        first(authors),
                        pulled.size(),
                        first(pulled.values())),
                inbox.slice().map(Slice::pending).orElse(Set.of()),
                seen.map(cursors),
                seen.map(mark -> Instant.ofEpochMilli(mark.upTo().millis())),
                connections.state(reader),
                parts.unreachable());
    }

    private Map<String, PulledAuthor> pulled(Set<String> authors) {
        Map<String, PulledAuthor> pulled = new TreeMap<>();
        if (!authors.isEmpty()) {
            Map<String, Optional<Entry>> entries =
                    outbox.pulled().update(Optional.empty(), authors, 0).entries();
            entries.forEach((author, entry) -> entry.filter(each -> authors.contains(author))
                    .ifPresent(each -> pulled.put(author, PostExplainer.pulled(author, each.oldest(), each.newest()))));
        }
        return pulled;
    }

    private static <T> List<T> first(Collection<T> all) {
        return all.stream().limit(ReaderState.MOST_LISTED).toList();
    }
}
