package io.feedkit.testkit.broken;

import io.feedkit.Post;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.broken.Parts.AnInbox;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ways to break an inbox: its answers, its questions, its limits. */
final class InboxFaults {

    private InboxFaults() {}

    /** Everything an inbox holds. */
    static Slice look(Inbox inbox, String reader) {
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 10_000, false)))
                .get(0);
    }

    static Slice with(Slice slice, State state, List<Post> posts, Position floor) {
        return new Slice(
                state,
                posts,
                floor,
                slice.generation(),
                slice.mark(),
                slice.followees(),
                slice.epoch(),
                slice.pending());
    }

    static Slice withFollowees(Slice slice, long followees) {
        return new Slice(
                slice.state(),
                slice.posts(),
                slice.floor(),
                slice.generation(),
                slice.mark(),
                followees,
                slice.epoch(),
                slice.pending());
    }

    static Slice withPosts(Slice slice, List<Post> posts) {
        return with(slice, slice.state(), posts, slice.floor());
    }

    static Slice withFloor(Slice slice, Position floor) {
        return slice.state() == State.LIVE ? with(slice, slice.state(), slice.posts(), floor) : slice;
    }

    static Mutant slices(String name, String caughtBy, UnaryOperator<Slice> breaking) {
        return Mutant.inbox(name, caughtBy, (inbox, clock) -> new AnInbox(inbox) {
            @Override
            public List<Slice> slice(List<SliceQuery> queries) {
                return sound.slice(queries).stream().map(breaking).toList();
            }
        });
    }

    static Mutant queries(String name, String caughtBy, UnaryOperator<SliceQuery> breaking) {
        return Mutant.inbox(name, caughtBy, (inbox, clock) -> new AnInbox(inbox) {
            @Override
            public List<Slice> slice(List<SliceQuery> queries) {
                return sound.slice(queries.stream().map(breaking).toList());
            }
        });
    }

    static Mutant ranges(String name, String caughtBy, UnaryOperator<PositionRange> breaking) {
        return queries(
                name,
                caughtBy,
                query -> new SliceQuery(
                        query.reader(), breaking.apply(query.range()), query.order(), query.limit(), query.renew()));
    }

    static Mutant deliveries(String name, String caughtBy, UnaryOperator<Delivery> breaking) {
        return Mutant.inbox(name, caughtBy, (inbox, clock) -> new AnInbox(inbox) {
            @Override
            public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                return sound.deliver(deliveries.stream().map(breaking).toList());
            }
        });
    }

    static Mutant outcomes(String name, String caughtBy, UnaryOperator<List<Outcome>> breaking) {
        return Mutant.inbox(name, caughtBy, (inbox, clock) -> new AnInbox(inbox) {
            @Override
            public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                return sound.deliver(deliveries).stream().map(breaking).toList();
            }
        });
    }

    static Mutant limits(String name, String caughtBy, UnaryOperator<InboxLimits> breaking) {
        return views(name, caughtBy, (store, clock, limits) -> store.inbox(breaking.apply(limits)));
    }

    /** Breaks the views of the inboxes that a store hands out. */
    interface Viewing {
        Inbox view(FeedStore store, SettableClock clock, InboxLimits limits);
    }

    static Mutant views(String name, String caughtBy, Viewing breaking) {
        return new Mutant(
                name,
                Leaves.Inboxes.class,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        sound.outbox(),
                        limits -> breaking.view(sound, clock, limits),
                        sound.graph(),
                        sound.seenMarks()));
    }

    /** Presents the newest entries, but keeps all. */
    static final class NeverTrimming extends AnInbox {
        private final int cap;

        NeverTrimming(Inbox sound, int cap) {
            super(sound);
            this.cap = cap;
        }

        @Override
        public List<Slice> slice(List<SliceQuery> queries) {
            return queries.stream().map(this::slice).toList();
        }

        private Slice slice(SliceQuery query) {
            Slice all = look(sound, query.reader());
            Position floor = all.posts().size() > cap ? Position.of(all.posts().get(cap - 1)) : all.floor();
            PositionRange range = new PositionRange(
                    Position.max(floor, query.range().from()), query.range().below());
            SliceQuery within = new SliceQuery(query.reader(), range, query.order(), query.limit(), query.renew());
            return withFloor(sound.slice(List.of(within)).get(0), floor);
        }
    }

    /** Keeps and serves what lies below the floor as well. */
    static final class LeakyFloor extends AnInbox {
        private final Map<String, Set<Post>> leaked = new ConcurrentHashMap<>();

        LeakyFloor(Inbox sound) {
            super(sound);
        }

        @Override
        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
            return deliveries.stream()
                    .map(delivery ->
                            leak(delivery, sound.deliver(List.of(delivery)).get(0)))
                    .toList();
        }

        private List<Outcome> leak(Delivery delivery, List<Outcome> outcomes) {
            return IntStream.range(0, outcomes.size())
                    .mapToObj(i -> outcomes.get(i) == Outcome.BELOW_FLOOR
                                    && leaked.computeIfAbsent(
                                                    delivery.readers().get(i), reader -> ConcurrentHashMap.newKeySet())
                                            .add(delivery.post())
                            ? Outcome.ADDED
                            : outcomes.get(i))
                    .toList();
        }

        @Override
        public List<Slice> slice(List<SliceQuery> queries) {
            List<Slice> slices = sound.slice(queries);
            return IntStream.range(0, slices.size())
                    .mapToObj(i -> withPosts(
                            slices.get(i),
                            Stream.of(
                                            slices.get(i).posts(),
                                            leaked.getOrDefault(queries.get(i).reader(), Set.of()))
                                    .flatMap(Collection::stream)
                                    .sorted(Collections.reverseOrder(Position::compare))
                                    .toList()))
                    .toList();
        }
    }

    /** Calls an inbox absent when its window is over, until the reader comes back. */
    static final class Reviving extends AnInbox {
        private final Map<String, Long> seen = new ConcurrentHashMap<>();
        private final SettableClock clock;
        private final long windowMillis;

        Reviving(Inbox everlasting, SettableClock clock, long windowMillis) {
            super(everlasting);
            this.clock = clock;
            this.windowMillis = windowMillis;
        }

        @Override
        public boolean complete(String reader, long generation, long mark, long followees) {
            seen.put(reader, clock.millis());
            return sound.complete(reader, generation, mark, followees);
        }

        @Override
        public List<Slice> slice(List<SliceQuery> queries) {
            return queries.stream().map(this::slice).toList();
        }

        private Slice slice(SliceQuery query) {
            if (query.renew()) {
                seen.put(query.reader(), clock.millis());
            }
            boolean over = seen.getOrDefault(query.reader(), clock.millis()) + windowMillis <= clock.millis();
            Slice slice = sound.slice(List.of(query)).get(0);
            return over
                    ? new Slice(State.ABSENT, List.of(), Position.HIGHEST, 0, 0, 0, slice.epoch(), slice.pending())
                    : slice;
        }
    }
}
