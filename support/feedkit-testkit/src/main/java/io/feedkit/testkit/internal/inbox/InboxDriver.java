package io.feedkit.testkit.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One reader at a time on top of an inbox's batches, so that tests read as sentences. */
record InboxDriver(Inbox inbox) {

    /** A lease that no test outlasts. */
    static final Duration LEASE = Duration.ofHours(1);

    private static final int EVERYTHING = 10_000;

    /** Opens a building inbox. */
    long build(String reader) {
        return build(reader, LEASE);
    }

    long build(String reader, Duration lease) {
        return opened(inbox.open(reader, lease.toMillis(), false));
    }

    /** Replaces a live inbox by a building one. */
    long rebuild(String reader) {
        return opened(inbox.open(reader, LEASE.toMillis(), true));
    }

    private static long opened(Opening opening) {
        assertThat(opening.status()).as("answer to open").isEqualTo(Opening.Status.OPENED);
        return opening.generation();
    }

    /** Opens an inbox and makes it live, with the mark 1. */
    long live(String reader) {
        long generation = build(reader);
        complete(reader, generation);
        return generation;
    }

    void complete(String reader, long generation) {
        assertThat(complete(reader, generation, 1)).as("complete").isTrue();
    }

    /** Completes an inbox of a reader without followees. */
    boolean complete(String reader, long generation, long mark) {
        return inbox.complete(reader, generation, mark, 0);
    }

    long beginFollow(String reader, String author) {
        return inbox.beginFollow(reader, List.of(author));
    }

    /**
     * Ends a change of one author that does not change the followees. Returns whether the pending follow had the token.
     */
    boolean endFollow(String reader, String author, long token) {
        Set<String> refused = inbox.endFollow(reader, List.of(author), token, 0);
        assertThat(refused).as("authors whose pending follows did not end").isSubsetOf(author);
        return refused.isEmpty();
    }

    boolean purge(String reader, String author, long token) {
        return inbox.purge(reader, List.of(author), token);
    }

    void merge(String reader, long generation, List<Post> posts, Position floor) {
        assertThat(inbox.merge(reader, generation, posts, floor)).as("merge").isTrue();
    }

    /** Raises the floor to a position. */
    void raise(String reader, long generation, Position floor) {
        merge(reader, generation, List.of(), floor);
    }

    Outcome deliver(String reader, Post post) {
        return deliverSince(0, reader, post);
    }

    Outcome deliverSince(long seenSince, String reader, Post post) {
        List<List<Outcome>> outcomes = inbox.deliver(List.of(new Delivery(post, List.of(reader), seenSince)));
        assertThat(outcomes).as("answers to one delivery").hasSize(1);
        assertThat(outcomes.get(0)).as("outcomes for one reader").hasSize(1);
        return outcomes.get(0).get(0);
    }

    /** Delivers posts in one batch. */
    List<Outcome> deliver(String reader, List<Post> posts) {
        List<List<Outcome>> outcomes = inbox.deliver(posts.stream()
                .map(post -> new Delivery(post, List.of(reader), 0))
                .toList());
        assertThat(outcomes).as("answers to the deliveries").hasSameSizeAs(posts);
        return outcomes.stream().flatMap(List::stream).toList();
    }

    void retract(String reader, Post post) {
        inbox.retract(List.of(new Retraction(post, List.of(reader))));
    }

    /** All posts, newest first, without renewing the live window. */
    Slice slice(String reader) {
        return slice(reader, PositionRange.ALL, Order.NEWEST_FIRST, EVERYTHING);
    }

    Slice slice(String reader, PositionRange range, Order order, int limit) {
        return only(inbox.slice(List.of(new SliceQuery(reader, range, order, limit, false))));
    }

    /** A read by the reader, which renews the live window. */
    Slice visit(String reader) {
        return only(inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, true))));
    }

    Count count(String reader, Position above, int limit) {
        List<Count> counts = inbox.count(List.of(new CountQuery(reader, above, limit, Map.of())));
        assertThat(counts).as("answers to one query").hasSize(1);
        return counts.get(0);
    }

    private static Slice only(List<Slice> slices) {
        assertThat(slices).as("answers to one query").hasSize(1);
        return slices.get(0);
    }

    List<Post> posts(String reader) {
        return slice(reader).posts();
    }

    Position floor(String reader) {
        return slice(reader).floor();
    }

    State state(String reader) {
        return slice(reader).state();
    }

    long epoch(String reader) {
        return slice(reader).epoch();
    }
}
