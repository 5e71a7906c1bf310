package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.PostFilter;
import io.feedkit.PostLoader;
import io.feedkit.Unread;
import io.feedkit.event.FeedRead;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.HeadCache;
import io.feedkit.internal.cache.HeadCache.Expected;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.cache.RegisterView.Check;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.InboxBuilder;
import io.feedkit.internal.inbox.InboxReconciler;
import io.feedkit.internal.inbox.InboxUpkeep;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.internal.read.FeedScan.Chunk;
import io.feedkit.internal.read.FeedScan.Entry;
import io.feedkit.internal.read.FeedScan.Walk;
import io.feedkit.internal.transaction.OwnPostDelivery;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The read path: makes sure there is an inbox, scans the feed from where the page begins, drops what the host hides or has no content for, and goes on, within
 * a bound, until the page is full. Where it breaks off at that bound, it goes on to the end of the millisecond, so that the cursor need not name a post that was not shown. One item more than the page holds is looked for, so that an older cursor is given only if something is there. Thread-safe.
 */
public final class FeedReader {

    /** The largest chunk read at once while refilling. */
    private static final int MAX_CHUNK = 500;

    private record Item<T>(Entry entry, T value) {}

    /** A scan, and the first slice of it. */
    private record Start(FeedScan scan, Slice slice) {}

    @FunctionalInterface
    private interface Hydration<T> {
        List<Item<T>> apply(List<Entry> entries);
    }

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final RegisterView register;
    private final HeadCache heads;
    private final FolloweeCache followeeCache;
    private final GuardedListener listener;
    private final OwnPostDelivery ownPosts;
    private final InboxBuilder builder;
    private final InboxReconciler refresher;
    private final InboxUpkeep upkeep;

    public FeedReader(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            RegisterView register,
            HeadCache heads,
            FolloweeCache followeeCache,
            GuardedListener listener,
            OwnPostDelivery ownPosts,
            InboxBuilder builder,
            InboxReconciler refresher) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.register = register;
        this.heads = heads;
        this.followeeCache = followeeCache;
        this.listener = listener;
        this.ownPosts = ownPosts;
        this.builder = builder;
        this.refresher = refresher;
        this.upkeep = new InboxUpkeep(settings);
    }

    /** Reads a page of a reader's feed, without what was shown before. */
    public ReadPage<Post> read(String reader, PositionRange range, Order order, int limit, ShownPosts before) {
        return fill(register.checkIfStale(), reader, range, order, limit, before, entries -> {
            List<Item<Post>> items = new ArrayList<>(entries.size());
            entries.forEach(entry -> items.add(new Item<>(entry, entry.post())));
            return items;
        });
    }

    /** Reads a page of a reader's feed with the host's content; knows of every delete that has returned. */
    public <T> ReadPage<T> read(
            String reader, PositionRange range, Order order, int limit, ShownPosts before, PostLoader<T> loader) {
        return fill(register.check(), reader, range, order, limit, before, entries -> load(entries, loader));
    }

    private <T> ReadPage<T> fill(
            Check check,
            String reader,
            PositionRange range,
            Order order,
            int limit,
            ShownPosts before,
            Hydration<T> hydration) {
        long start = System.nanoTime();
        int wanted = limit + 1;
        int chunk = wanted + before.size();
        int scanned = -before.size();
        List<Item<T>> items = new ArrayList<>(wanted);
        Optional<Position> last = Optional.empty();
        Start first = start(check, new Walk(reader, range, order, true), chunk);
        FeedScan scan = first.scan();
        Slice slice = prepare(first, reader, chunk, range.equals(PositionRange.ALL));
        while (true) {
            Chunk part = scan.next(slice, chunk);
            hydrate(visible(reader, without(before, part.entries())), hydration, items, wanted);
            last = part.last().isPresent() ? part.last() : last;
            scanned += part.candidates();
            boolean bound = scanned >= settings.refillBound() && last.isPresent();
            if (items.size() == wanted || scan.atEnd() || bound) {
                break;
            }
            chunk = Math.min(MAX_CHUNK, chunk * 2);
            slice = scan.slice(chunk);
        }
        Optional<Position> brokenOff = Optional.empty();
        if (items.size() < wanted && !scan.atEnd() && !last.equals(place(items))) {
            Position end = scan.endWithMillisecondOf(last.orElseThrow());
            while (items.size() < wanted && !scan.atEnd()) {
                Chunk part = scan.next(scan.slice(chunk), chunk);
                hydrate(visible(reader, without(before, part.entries())), hydration, items, wanted);
                chunk = Math.min(MAX_CHUNK, chunk * 2);
            }
            brokenOff = Optional.of(end);
        } else if (!scan.atEnd()) {
            brokenOff = last;
        }
        List<Item<T>> shown = items.subList(0, Math.min(limit, items.size()));
        Optional<Position> resume = items.size() > limit ? place(shown) : brokenOff;
        tell(reader, shown, scan, start);
        return page(shown, order, resume);
    }

    /** The place of the last of some items. */
    private static Optional<Position> place(List<? extends Item<?>> items) {
        return items.isEmpty()
                ? Optional.empty()
                : Optional.of(Position.of(items.get(items.size() - 1).entry().post()));
    }

    /** Counts the posts of others from a position upwards, up to a cap, by reading. That is no visit of the reader's: it neither builds an inbox nor keeps one live. */
    public Unread count(String reader, Position from, int cap) {
        int chunk = Math.min(MAX_CHUNK, cap + 1);
        Walk walk = new Walk(reader, PositionRange.from(from), Order.NEWEST_FIRST, false);
        Start first = start(register.checkIfStale(), walk, chunk);
        FeedScan scan = first.scan();
        Slice slice = first.slice();
        long count = 0;
        int scanned = 0;
        while (true) {
            Chunk part = scan.next(slice, chunk);
            count += visible(reader, part.entries()).stream()
                    .filter(entry -> !entry.post().author().equals(reader))
                    .count();
            scanned += part.candidates();
            boolean atEnd = scan.atEnd();
            if (atEnd || count > cap || scanned > (long) cap + settings.refillBound()) {
                return new Unread(Math.min(count, cap), !atEnd || count > cap);
            }
            chunk = Math.min(MAX_CHUNK, chunk * 2);
            slice = scan.slice(chunk);
        }
    }

    /** Reads a page of one author's own posts, without what was shown before. */
    public ReadPage<Post> readAuthor(String author, PositionRange range, Order order, int limit, ShownPosts before) {
        PageQuery query = new PageQuery(Set.of(author), range, order, limit + 1 + before.size());
        List<Post> posts = outbox.page(query).stream()
                .filter(post -> !before.contains(post))
                .toList();
        List<Item<Post>> shown = new ArrayList<>();
        for (Post post : posts.subList(0, Math.min(limit, posts.size()))) {
            shown.add(new Item<>(new Entry(post, false), post));
        }
        Optional<Position> resume =
                posts.size() > limit ? Optional.of(Position.of(posts.get(limit - 1))) : Optional.empty();
        return page(shown, order, resume);
    }

    /** Begins a scan while the register is being asked, and again if it turns out to have changed: others may be the highest now. */
    private Start start(Check check, Walk walk, int chunk) {
        ownPosts.deliver(walk.reader());
        if (check == Check.DONE) {
            return begin(heads.expect(List.of()), walk, chunk);
        }
        Expected expected = heads.expect(pulled(walk, chunk));
        Start start = begin(expected, walk, chunk);
        if (!check.hasChanged()) {
            return start;
        }
        Expected more = heads.expect(pulled(walk, chunk), Optional.of(expected));
        return begin(more, walk, chunk);
    }

    private Start begin(Expected expected, Walk walk, int chunk) {
        FeedScan scan = new FeedScan(inbox, outbox, register.known(), heads, followeeCache, walk, expected);
        return new Start(scan, scan.slice(chunk));
    }

    /** Authors whose heads the page may want, as far as is known. Heads are too old if the register is, since they age together. */
    private List<String> pulled(Walk walk, int chunk) {
        return register.known()
                .pulled(followeeCache.remembered(walk.reader()), walk.range(), walk.order(), chunk, heads)
                .authors();
    }

    /** The first slice, after seeing to it that there is an inbox, and from time to time that it is whole. */
    private Slice prepare(Start start, String reader, int chunk, boolean firstPage) {
        Slice slice = start.slice();
        if (slice.state() == State.LIVE && !firstPage) {
            return slice;
        }
        boolean changed = upkeep.attempt(
                reader,
                () -> slice.state() == State.LIVE
                        ? refresher.reconcileIfDue(
                                reader, slice, () -> start.scan().followees(slice))
                        : builder.build(reader, false));
        return changed ? start.scan().slice(chunk) : slice;
    }

    private static List<Entry> without(ShownPosts before, List<Entry> entries) {
        return before.size() == 0
                ? entries
                : entries.stream()
                        .filter(entry -> !before.contains(entry.post()))
                        .toList();
    }

    private List<Entry> visible(String reader, List<Entry> entries) {
        if (entries.isEmpty()) {
            return entries;
        }
        PostFilter filter = settings.filter();
        if (filter == EngineSettings.SHOW_ALL) {
            return entries;
        }
        List<Post> posts = newestFirst(entries);
        Set<Post> visible = GuardedCallbacks.call("filter", () -> new HashSet<>(filter.visible(reader, posts)));
        return entries.stream().filter(entry -> visible.contains(entry.post())).toList();
    }

    private static <T> void hydrate(List<Entry> entries, Hydration<T> hydration, List<Item<T>> items, int wanted) {
        for (int from = 0; from < entries.size() && items.size() < wanted; ) {
            int to = Math.min(entries.size(), from + wanted - items.size());
            items.addAll(hydration.apply(entries.subList(from, to)));
            from = to;
        }
    }

    private static <T> List<Item<T>> load(List<Entry> entries, PostLoader<T> loader) {
        List<Post> posts = newestFirst(entries);
        return GuardedCallbacks.call("loader", () -> {
            Map<Post, T> content = loader.load(posts);
            List<Item<T>> items = new ArrayList<>(entries.size());
            for (Entry entry : entries) {
                T value = content.get(entry.post());
                if (value != null) {
                    items.add(new Item<>(entry, value));
                }
            }
            return items;
        });
    }

    /** The posts of entries, which are in the order of the walk. */
    private static List<Post> newestFirst(List<Entry> entries) {
        List<Post> posts = new ArrayList<>(entries.size());
        entries.forEach(entry -> posts.add(entry.post()));
        if (Position.of(posts.get(0)).compareTo(Position.of(posts.get(posts.size() - 1))) < 0) {
            Collections.reverse(posts);
        }
        return Collections.unmodifiableList(posts);
    }

    private static <T> ReadPage<T> page(List<Item<T>> shown, Order order, Optional<Position> resume) {
        List<Item<T>> newestFirst = new ArrayList<>(shown);
        if (order == Order.OLDEST_FIRST) {
            Collections.reverse(newestFirst);
        }
        return new ReadPage<>(
                newestFirst.stream().map(Item::value).toList(),
                newestFirst.stream().map(item -> item.entry().post()).toList(),
                resume);
    }

    private void tell(String reader, List<? extends Item<?>> shown, FeedScan scan, long start) {
        if (!listener.wanted()) {
            return;
        }
        int fromInbox =
                (int) shown.stream().filter(item -> item.entry().fromInbox()).count();
        FeedRead event = new FeedRead(
                reader,
                fromInbox,
                shown.size() - fromInbox,
                scan.outboxCalls(),
                Duration.ofNanos(System.nanoTime() - start));
        listener.tell(listener -> listener.read(event));
    }
}
