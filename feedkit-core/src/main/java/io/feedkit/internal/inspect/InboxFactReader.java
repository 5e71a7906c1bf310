package io.feedkit.internal.inspect;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.health.Health.Part;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.LiveInboxes;
import io.feedkit.internal.view.OldPlaces;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import java.util.Optional;
import java.util.Set;

/** Collects what is known of a reader's inbox, and what the next page would do with it. Thread-safe. */
public final class InboxFactReader {

    private final EngineSettings settings;
    private final Inbox inbox;
    private final OldPlaces oldPlaces;
    private final LiveInboxes inboxes;
    private final FolloweeCache followeeCache;

    public InboxFactReader(
            EngineSettings settings,
            Inbox inbox,
            OldPlaces oldPlaces,
            LiveInboxes inboxes,
            FolloweeCache followeeCache) {
        this.settings = settings;
        this.inbox = inbox;
        this.oldPlaces = oldPlaces;
        this.inboxes = inboxes;
        this.followeeCache = followeeCache;
    }

    InboxFacts read(StoreParts parts, String reader) {
        return InboxFacts.read(parts, inbox, reader, settings.inboxes().limits().cap());
    }

    /** Reads the inbox without the entries of a post at places that pages leave out. */
    InboxFacts readAsInPages(StoreParts parts, String reader, PostKey key) {
        InboxFacts facts = read(parts, reader);
        Set<Post> left = parts.ask(Part.OUTBOX, () -> oldPlaces.among(facts.entries(key)))
                .orElse(Set.of());
        return left.isEmpty() ? facts : facts.without(left);
    }

    /** The followees that a page would use without loading them. A page that builds the inbox loads them. */
    Optional<FolloweeSet> followeesHeld(String reader, Slice slice) {
        return inboxes.wouldBuild(reader, slice) ? Optional.empty() : followeeCache.held(reader, slice);
    }

    boolean wouldReconcile(String reader, InboxFacts facts, FolloweeSet inPages) {
        Optional<Slice> slice = facts.slice();
        return slice.isPresent() && inboxes.wouldReconcile(reader, slice.get(), inPages);
    }
}
