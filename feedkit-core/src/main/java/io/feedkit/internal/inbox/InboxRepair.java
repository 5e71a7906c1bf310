package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.internal.copies.EngineCopies;
import io.feedkit.internal.inbox.InboxContents.Compared;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes live inboxes agree with the outboxes and the follow graph. It inserts missing posts at or above the floor. It
 * removes posts that were deleted or lost, posts at an outdated position, and posts of authors who are no longer
 * followed. Thread-safe.
 */
public final class InboxRepair {

    /** The changes that a refresh made. */
    public record Outcome(int added, int removed) {

        static final Outcome NOTHING = new Outcome(0, 0);

        boolean isChange() {
            return added + removed > 0;
        }
    }

    private final InboxContents contents;
    private final Inbox inbox;
    private final CheckedInserts inserts;
    private final InboxBuilder builder;
    private final Follows follows;
    private final Optional<EngineCopies> copies;

    public InboxRepair(
            InboxContents contents,
            Inbox inbox,
            CheckedInserts inserts,
            InboxBuilder builder,
            Follows follows,
            Optional<EngineCopies> copies) {
        this.contents = contents;
        this.inbox = inbox;
        this.inserts = inserts;
        this.builder = builder;
        this.follows = follows;
        this.copies = copies;
    }

    /** Builds an inbox, unless another builder is at it. */
    void build(String reader, boolean replace) {
        boolean unused = builder.build(reader, replace);
    }

    /** Ends the pending follows of an inbox. */
    void finishFollows(String reader, Slice found) {
        if (!found.pending().isEmpty()) {
            follows.finish(reader, found.pending());
        }
    }

    /** Refreshes an inbox that was found live, and records its mark. */
    Outcome refresh(String reader, Slice found) {
        long mark = contents.mark();
        finishFollows(reader, found);
        Slice slice = found.pending().isEmpty() ? found : contents.slice(reader);
        Compared compared = contents.compare(reader, slice);
        Optional<InboxDifferences> differences = compared.differences();
        Outcome outcome = differences.map(each -> agree(reader, slice, each)).orElse(Outcome.NOTHING);
        inbox.complete(reader, slice.generation(), mark, compared.followees().checksum());
        differences.ifPresent(each -> copies.ifPresent(
                copier -> copier.offer(reader, each.posts(), each.floor(), mark, compared.followees())));
        return outcome;
    }

    /**
     * Makes an inbox agree with the outboxes from its floor upwards. If not all posts were compared, the floor is
     * raised to the last post compared. A full inbox may store entries below those it serves. They were not compared,
     * so the floor is raised above them.
     */
    private Outcome agree(String reader, Slice slice, InboxDifferences found) {
        List<Post> missing = found.missing();
        boolean allShown = !contents.isFull(slice);
        boolean insert = !missing.isEmpty() || !allShown;
        boolean inserted = insert && inserts.merge(reader, slice.generation(), missing, found.floor());
        return new Outcome(inserted ? missing.size() : 0, removeWrong(reader, slice, found));
    }

    /** Removes entries of authors who are not followed, and entries that are not where the outboxes have the post. */
    private int removeWrong(String reader, Slice slice, InboxDifferences found) {
        Set<String> strangers = found.notFollowed().stream().map(Post::author).collect(Collectors.toSet());
        if (!strangers.isEmpty()) {
            inbox.purge(reader, strangers, slice.epoch());
        }
        return found.notFollowed().size() + inserts.correct(reader, slice.generation(), found.wrong());
    }
}
