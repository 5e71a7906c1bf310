package io.feedkit.memory;

import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A view of the inboxes with one cap and one live window. */
final class MemoryInbox implements Inbox {

    private static final Slice NOTHING = new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, 0, Set.of());

    private final ReaderInboxes inboxes;
    private final InboxLimits limits;
    private final Clock clock;

    MemoryInbox(ReaderInboxes inboxes, InboxLimits limits, Clock clock) {
        this.inboxes = inboxes;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void claim(String identity) {
        String owner = inboxes.claim(identity);
        if (!owner.equals(identity)) {
            throw new ForeignStoreException(
                    "the inboxes of an in-memory store",
                    owner,
                    identity,
                    "give each source of truth an in-memory store of its own for its inboxes");
        }
    }

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        long now = clock.millis();
        List<List<Outcome>> answers = new ArrayList<>(deliveries.size());
        int requests = 0;
        for (Delivery delivery : deliveries) {
            requests += delivery.readers().size();
            answers.add(deliver(delivery, now));
        }
        inboxes.sweep(requests, now);
        return Collections.unmodifiableList(answers);
    }

    private List<Outcome> deliver(Delivery delivery, long now) {
        Post post = delivery.post();
        Outcome[] outcomes = new Outcome[delivery.readers().size()];
        int i = 0;
        for (String reader : delivery.readers()) {
            ReaderInbox inbox = inboxes.find(reader);
            outcomes[i++] = inbox == null ? Outcome.NOT_LIVE : inbox.deliver(post, delivery.seenSince(), limits, now);
        }
        return Collections.unmodifiableList(Arrays.asList(outcomes));
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        long now = clock.millis();
        List<Slice> slices = new ArrayList<>(queries.size());
        for (SliceQuery query : queries) {
            ReaderInbox inbox = inboxes.find(query.reader());
            slices.add(inbox == null ? NOTHING : inbox.slice(query, limits, now));
        }
        inboxes.sweep(queries.size(), now);
        return Collections.unmodifiableList(slices);
    }

    @Override
    public List<Count> count(List<CountQuery> queries) {
        long now = clock.millis();
        List<Count> counts = new ArrayList<>(queries.size());
        for (CountQuery query : queries) {
            ReaderInbox inbox = inboxes.find(query.reader());
            counts.add(inbox == null ? new Count(NOTHING, 0) : inbox.count(query, limits, now));
        }
        inboxes.sweep(queries.size(), now);
        return Collections.unmodifiableList(counts);
    }

    @Override
    public List<Window> windows(List<String> readers) {
        List<Window> windows = new ArrayList<>(readers.size());
        for (String reader : readers) {
            ReaderInbox inbox = inboxes.find(reader);
            windows.add(inbox == null ? Window.UNKNOWN : inbox.window());
        }
        return Collections.unmodifiableList(windows);
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        long now = clock.millis();
        inboxes.sweep(1, now);
        return inboxes.with(reader, inbox -> inbox.open(leaseMillis, replace, limits, inboxes::nextToken, now));
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        ReaderInbox inbox = inboxes.find(reader);
        return inbox != null && inbox.merge(generation, posts, floor, limits, clock.millis());
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        ReaderInbox inbox = inboxes.find(reader);
        return inbox != null && inbox.complete(generation, mark, followees, limits, inboxes::nextToken, clock.millis());
    }

    @Override
    public void retract(List<Retraction> retractions) {
        for (Retraction retraction : retractions) {
            for (String reader : retraction.readers()) {
                ReaderInbox inbox = inboxes.find(reader);
                if (inbox != null) {
                    inbox.retract(retraction.post());
                }
            }
        }
    }

    @Override
    public void remove(List<Removal> removals) {
        for (Removal removal : removals) {
            for (String reader : removal.readers()) {
                ReaderInbox inbox = inboxes.find(reader);
                if (inbox != null) {
                    inbox.remove(removal.key());
                }
            }
        }
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        ReaderInbox inbox = inboxes.find(reader);
        return inbox != null && inbox.purge(authors, token, clock.millis());
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        long now = clock.millis();
        inboxes.sweep(1, now);
        return inboxes.with(reader, inbox -> inbox.beginFollow(authors, limits, inboxes::nextToken, now));
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        ReaderInbox inbox = inboxes.find(reader);
        return inbox == null
                ? Set.copyOf(authors)
                : inbox.endFollow(authors, token, toggled, limits, inboxes::nextToken, clock.millis());
    }

    @Override
    public void drop(List<String> readers) {
        readers.forEach(inboxes::drop);
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        Listing.of(inboxes.readers(), visitor);
    }
}
