package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All data of one reader: the epoch, pending follows, and the inbox, if one is open. Its methods are atomic.
 *
 * <p>An inbox lasts to the end of its live window. An epoch without an inbox lasts as long as a live window would.
 * Pending follows do not expire. A retired record is being removed from the map: it takes no more changes, and a caller
 * that changes something uses a new record.
 */
final class ReaderInbox {

    private boolean retired;
    private long until;
    private long epoch;
    private @Nullable Map<String, Long> pending;
    private @Nullable OpenInbox inbox;

    /** The window of the last inbox that expired. */
    private Inbox.Window expired = Inbox.Window.UNKNOWN;

    synchronized boolean isRetired() {
        return retired;
    }

    /** Drops all data. */
    synchronized void retire() {
        retired = true;
        inbox = null;
        expired = Inbox.Window.UNKNOWN;
        pending = null;
        epoch = 0;
    }

    /** Retires the record if all its data has expired. Returns whether the record is retired. */
    synchronized boolean retireIfOver(long now) {
        if (!retired && open(now) == null && pending == null && until <= now) {
            retire();
        }
        return retired;
    }

    synchronized Inbox.Outcome deliver(Post post, long seenSince, InboxLimits limits, long now) {
        OpenInbox open = open(now);
        return open == null ? Inbox.Outcome.NOT_LIVE : open.deliver(post, seenSince, limits.stored(), limits.cap());
    }

    synchronized Inbox.Slice slice(Inbox.SliceQuery query, InboxLimits limits, long now) {
        OpenInbox open = open(now);
        if (open == null || !open.isLive()) {
            return notLive(open);
        }
        if (query.renew()) {
            open.renew(now);
            until = Math.max(until, Deadline.of(now, limits.liveWindowMillis()));
        }
        Position floor = open.floor(limits.cap());
        return live(open, floor, open.posts(query, floor));
    }

    synchronized Inbox.Count count(Inbox.CountQuery query, InboxLimits limits, long now) {
        OpenInbox open = open(now);
        if (open == null || !open.isLive()) {
            return new Inbox.Count(notLive(open), 0);
        }
        Position floor = open.floor(limits.cap());
        Position from = Position.max(floor, query.above().next());
        Inbox.SliceQuery read =
                new Inbox.SliceQuery(query.reader(), query.read(), Order.NEWEST_FIRST, query.limit(), false);
        return new Inbox.Count(
                live(open, floor, open.posts(read, floor)), Math.min(query.limit(), open.count(query, from)));
    }

    /** The window of the inbox, or of the one that expired last. */
    synchronized Inbox.Window window() {
        if (inbox == null) {
            return expired;
        }
        return inbox.isLive() ? new Inbox.Window(inbox.lastRenewed(), until) : Inbox.Window.UNKNOWN;
    }

    private Inbox.Slice live(OpenInbox open, Position floor, List<Post> posts) {
        return new Inbox.Slice(
                Inbox.State.LIVE,
                posts,
                floor,
                open.generation(),
                open.mark(),
                open.followees(),
                epoch,
                pendingFollows());
    }

    private Inbox.Slice notLive(@Nullable OpenInbox open) {
        Inbox.State state = open == null ? Inbox.State.ABSENT : Inbox.State.BUILDING;
        long generation = open == null ? 0 : open.generation();
        return new Inbox.Slice(state, List.of(), Position.HIGHEST, generation, 0, 0, epoch, pendingFollows());
    }

    private Set<String> pendingFollows() {
        return pending == null ? Set.of() : pending.keySet();
    }

    synchronized Inbox.Opening open(
            long leaseMillis, boolean replace, InboxLimits limits, LongSupplier tokens, long now) {
        OpenInbox open = open(now);
        if (open != null && open.isLeased(now)) {
            return new Inbox.Opening(Inbox.Opening.Status.BUSY, 0);
        }
        if (open != null && open.isLive() && !replace) {
            return new Inbox.Opening(Inbox.Opening.Status.LIVE, 0);
        }
        if (epoch == 0) {
            epoch = tokens.getAsLong();
        }
        inbox = new OpenInbox(tokens.getAsLong(), Deadline.of(now, leaseMillis));
        until = Deadline.of(now, Math.max(leaseMillis, limits.liveWindowMillis()));
        return new Inbox.Opening(Inbox.Opening.Status.OPENED, inbox.generation());
    }

    synchronized boolean merge(long generation, List<Post> posts, Position floor, InboxLimits limits, long now) {
        OpenInbox open = open(now);
        if (open == null || open.generation() != generation) {
            return false;
        }
        open.merge(posts, floor, limits);
        return true;
    }

    synchronized boolean complete(
            long generation, long mark, long followees, InboxLimits limits, LongSupplier tokens, long now) {
        OpenInbox open = open(now);
        if (open == null || open.generation() != generation) {
            return false;
        }
        if (!open.isLive() || open.followees() != followees) {
            epoch = tokens.getAsLong();
        }
        if (!open.isLive()) {
            until = Deadline.of(now, limits.liveWindowMillis());
        }
        open.complete(mark, followees, now);
        return true;
    }

    synchronized void retract(Post post) {
        if (inbox != null) {
            inbox.retract(post);
        }
    }

    synchronized void remove(PostKey key) {
        if (inbox != null) {
            inbox.remove(key);
        }
    }

    synchronized boolean purge(Collection<String> authors, long token, long now) {
        OpenInbox open = open(now);
        Set<String> allowed = new HashSet<>();
        for (String author : authors) {
            if (!retired && tokenOf(author).orElse(epoch) == token) {
                allowed.add(author);
            }
        }
        if (open != null && !allowed.isEmpty()) {
            open.purge(allowed);
        }
        return allowed.size() == authors.size();
    }

    private OptionalLong tokenOf(String author) {
        Long token = pending == null ? null : pending.get(author);
        return token == null ? OptionalLong.empty() : OptionalLong.of(token);
    }

    synchronized long beginFollow(Collection<String> authors, InboxLimits limits, LongSupplier tokens, long now) {
        Map<String, Long> follows = pending == null ? new HashMap<>(2) : pending;
        pending = follows;
        renewEpoch(limits, tokens, now);
        authors.forEach(author -> follows.put(author, epoch));
        return epoch;
    }

    synchronized Set<String> endFollow(
            Collection<String> authors, long token, long toggled, InboxLimits limits, LongSupplier tokens, long now) {
        Set<String> others = new HashSet<>(authors);
        others.removeIf(author -> tokenOf(author).equals(OptionalLong.of(token)));
        if (others.size() == authors.size()) {
            return others;
        }
        for (String author : authors) {
            if (!others.contains(author)) {
                removePending(author);
            }
        }
        renewEpoch(limits, tokens, now);
        if (others.isEmpty() && inbox != null) {
            inbox.toggle(toggled);
        }
        return others;
    }

    /** The open inbox, if there is one. An inbox whose live window has passed is closed for good. */
    private @Nullable OpenInbox open(long now) {
        if (inbox != null && until <= now) {
            expired = inbox.isLive() ? new Inbox.Window(inbox.lastRenewed(), until) : Inbox.Window.UNKNOWN;
            inbox = null;
            if (pending == null) {
                epoch = 0;
            }
        }
        return inbox;
    }

    private void renewEpoch(InboxLimits limits, LongSupplier tokens, long now) {
        boolean closed = open(now) == null;
        epoch = tokens.getAsLong();
        if (closed) {
            until = Deadline.of(now, limits.liveWindowMillis());
        }
    }

    private void removePending(String author) {
        if (pending != null) {
            pending.remove(author);
            if (pending.isEmpty()) {
                pending = null;
            }
        }
    }
}
