package io.feedkit.internal;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.internal.HeadCache.Head;
import io.feedkit.internal.RegisterView.Known;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Counts what is unread of many feeds, with the answers that reading would give, and without reading where that is certain.
 *
 * <p>What lies at or above the floor of a live inbox is counted in the inbox, and the unpushed posts of pulled authors are added that the inbox does not hold. It is asked for these in the same step, so none
 * is counted twice or not at all because it is pushed at that moment. What lies below the floor, and all of the feed of a reader without a live inbox, is counted in the outboxes.
 *
 * <p>A feed is read instead where the stores cannot see what a page would hide or add: the host has a filter, a follow is unfinished, posts that are being retracted may stand in the inbox,
 * the inbox may hold posts of authors not followed any more ({@link KnownInboxes}), own posts may be among the entries, or the recent-posts cache does not reach down to the mark. Opens no inbox and
 * renews none. Thread-safe.
 */
public final class UnreadPosts {

    /** The most pulled posts that an inbox is asked for: beyond, reading it is cheaper. */
    private static final int MOST_AMONG = 50;

    /** How often a feed is counted whose followees turn out to be others than were remembered. */
    private static final int ATTEMPTS = 2;

    /** The unpushed posts of pulled authors above a mark, of some followees; absent if they are not all known, or too many. */
    private record Pulled(Set<String> followees, Optional<List<Post>> posts) {
        List<Post> asked() {
            return posts.orElse(List.of());
        }
    }

    /** A feed that is counted but for what the outboxes are asked: the places of those questions, or {@code NONE}. */
    private record Open(String reader, long hot, int own, int cold) {}

    private static final int NONE = -1;

    private final Parts parts;
    private final FeedReader feeds;
    private final KnownInboxes inboxes;
    private final int cap;
    private final int limit;

    public UnreadPosts(Parts parts, FeedReader feeds) {
        this.parts = parts;
        this.feeds = feeds;
        inboxes = new KnownInboxes(parts.outbox().fanout(), parts.settings());
        cap = parts.settings().unreadCap();
        limit = cap + 1;
    }

    /** Counts the posts of others above each reader's mark, up to the cap. */
    public Map<String, Unread> count(Collection<String> readers) {
        List<String> asked = readers.stream().distinct().toList();
        List<Position> seen = parts.seenMarks().lastSeen(asked);
        Map<String, Position> marks = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            marks.put(asked.get(i), seen.get(i));
        }
        return new Round(marks).count();
    }

    /** One call. */
    private final class Round {

        private final Map<String, Position> marks;
        private final Map<String, Unread> answers = new HashMap<>();
        private final Map<String, Slice> live = new HashMap<>();

        Round(Map<String, Position> marks) {
            this.marks = marks;
        }

        Map<String, Unread> count() {
            if (parts.settings().filter() == Settings.SHOW_ALL) {
                Collection<String> left = marks.keySet();
                for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
                    left = countByStore(List.copyOf(left));
                }
            }
            marks.keySet().forEach(reader -> answers.computeIfAbsent(reader, this::read));
            return Map.copyOf(answers);
        }

        private Position mark(String reader) {
            return requireNonNull(marks.get(reader));
        }

        /** The lowest position that is unread. */
        private Position from(String reader) {
            return mark(reader).next();
        }

        /** Reads, and remembers what was seen of an inbox that was settled before. */
        private Unread read(String reader) {
            Optional<Slice> settled =
                    Optional.ofNullable(live.get(reader)).filter(inbox -> inboxes.isSettled(reader, inbox));
            Position bottom = from(reader);
            return feeds.count(
                    reader,
                    bottom,
                    cap,
                    settled,
                    (inbox, followees) ->
                            inboxes.wasRead(reader, inbox, followees, Position.max(bottom, inbox.floor())));
        }

        /** Counts in the stores where that is certain, and says for whom another attempt is worth while. */
        private List<String> countByStore(List<String> readers) {
            readers.forEach(reader -> parts.ownPosts().deliver(parts, reader));
            parts.register().refreshIfStale();
            Known register = parts.register().known();
            Map<String, Pulled> pulled = pulled(register, readers);
            List<CountQuery> queries = new ArrayList<>();
            for (String reader : readers) {
                Pulled asked = requireNonNull(pulled.get(reader));
                queries.add(new CountQuery(reader, mark(reader), limit, asked.asked()));
            }
            List<Count> counts = parts.inbox().count(queries);
            List<String> again = new ArrayList<>();
            List<Open> open = new ArrayList<>();
            List<Outbox.CountQuery> rest = new ArrayList<>();
            for (int i = 0; i < readers.size(); i++) {
                String reader = readers.get(i);
                Count count = counts.get(i);
                FolloweeSet followees = parts.followees().of(reader, count.inbox());
                Pulled known = requireNonNull(pulled.get(reader));
                if (count.inbox().state() == State.LIVE) {
                    live.put(reader, count.inbox());
                    if (mayBeOthers(register, reader, known, followees)) {
                        again.add(reader);
                        continue;
                    }
                }
                OptionalLong hot = hot(register, reader, count, followees, known);
                if (hot.isPresent()) {
                    open.add(opened(reader, count, followees, hot.getAsLong(), rest));
                }
            }
            finish(open, rest.isEmpty() ? List.of() : parts.outbox().count(rest));
            return again;
        }

        /** Whether there may be unpushed posts of others than were asked for, or were asked for posts of others than are followed. */
        private boolean mayBeOthers(Known register, String reader, Pulled known, FolloweeSet followees) {
            boolean askedForNone = known.posts().isPresent() && known.asked().isEmpty();
            return !known.followees().equals(followees.authors())
                    && (!askedForNone
                            || !authors(register, reader, followees.authors()).equals(PulledAuthors.NONE));
        }

        private PulledAuthors authors(Known register, String reader, Set<String> followees) {
            return register.pulled(
                    followees,
                    PositionRange.from(from(reader)),
                    Order.NEWEST_FIRST,
                    HeadCache.MOST_AT_ONCE,
                    parts.heads());
        }

        /** What the recent-posts cache has of the unpushed posts of each reader's followees, as far as these are remembered. Heads that it lacks are fetched together. */
        private Map<String, Pulled> pulled(Known register, List<String> readers) {
            Map<String, Set<String>> followees = new HashMap<>();
            Map<String, PulledAuthors> authors = new HashMap<>();
            Set<String> wanted = new LinkedHashSet<>();
            for (String reader : readers) {
                Set<String> remembered = parts.followees().remembered(reader);
                PulledAuthors pulled = authors(register, reader, remembered);
                followees.put(reader, remembered);
                authors.put(reader, pulled);
                wanted.addAll(pulled.authors());
            }
            Map<String, Head> heads = heads(List.copyOf(wanted));
            Map<String, Pulled> answers = new HashMap<>();
            authors.forEach((reader, some) -> answers.put(
                    reader, new Pulled(requireNonNull(followees.get(reader)), posts(register, reader, some, heads))));
            return answers;
        }

        private Optional<List<Post>> posts(
                Known register, String reader, PulledAuthors authors, Map<String, Head> heads) {
            if (authors.others().isPresent()) {
                return Optional.empty();
            }
            Position bottom = from(reader);
            List<Post> posts = new ArrayList<>();
            for (String author : authors.authors()) {
                Head head = requireNonNull(heads.get(author));
                if (!head.reachesBelow(bottom)) {
                    return Optional.empty();
                }
                for (Post post : head.posts()) {
                    if (bottom.compareOf(post) < 0) {
                        break;
                    }
                    if (!author.equals(reader) && register.isUnpushed(post) && !register.isRetracting(post)) {
                        posts.add(post);
                    }
                }
            }
            return posts.size() > MOST_AMONG ? Optional.empty() : Optional.of(posts);
        }

        /** How many posts lie at or above the floor, if that is certain; none without a live inbox. */
        private OptionalLong hot(Known register, String reader, Count count, FolloweeSet followees, Pulled pulled) {
            Slice inbox = count.inbox();
            if (inbox.state() != State.LIVE) {
                return OptionalLong.of(0);
            }
            Position bottom = Position.max(from(reader), inbox.floor());
            boolean certain = inbox.pending().isEmpty()
                    && pulled.posts().isPresent()
                    && (count.above() == 0
                            || (!register.isRetractingAnyOf(followees.authors())
                                    && inboxes.isKnown(reader, inbox, followees, bottom)));
            if (!certain) {
                return OptionalLong.empty();
            }
            long unpushed = pulled.asked().stream()
                    .filter(post -> inbox.floor().compareOf(post) >= 0)
                    .count();
            return OptionalLong.of(count.above() + unpushed - count.held());
        }

        private Open opened(String reader, Count count, FolloweeSet followees, long hot, List<Outbox.CountQuery> rest) {
            Position floor = count.inbox().floor();
            int own = NONE;
            if (count.above() > 0 && parts.settings().ownPosts()) {
                own = rest.size();
                PositionRange range = PositionRange.from(Position.max(from(reader), floor));
                rest.add(new Outbox.CountQuery(Set.of(reader), range, 1));
            }
            int cold = NONE;
            PositionRange below = new PositionRange(from(reader), floor);
            if (hot < limit && !below.isEmpty() && !followees.authors().isEmpty()) {
                Set<String> others = new HashSet<>(followees.authors());
                others.remove(reader);
                cold = rest.size();
                rest.add(new Outbox.CountQuery(others, below, limit));
            }
            return new Open(reader, hot, own, cold);
        }

        private void finish(List<Open> open, List<Integer> counts) {
            for (Open each : open) {
                boolean ownAmong = each.own() != NONE && counts.get(each.own()) > 0;
                if (!ownAmong) {
                    long all = each.hot() + (each.cold() == NONE ? 0 : counts.get(each.cold()));
                    answers.put(each.reader(), new Unread(Math.min(cap, all), all > cap));
                }
            }
        }
    }

    private Map<String, Head> heads(List<String> authors) {
        Map<String, Head> heads = new HashMap<>();
        for (int i = 0; i < authors.size(); i += HeadCache.MOST_AT_ONCE) {
            List<String> some = authors.subList(i, Math.min(authors.size(), i + HeadCache.MOST_AT_ONCE));
            List<Head> found = parts.heads().get(some, parts.heads().expect(List.of()), new CallCount());
            for (int j = 0; j < found.size(); j++) {
                heads.put(some.get(j), found.get(j));
            }
        }
        return heads;
    }
}
