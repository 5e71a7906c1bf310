package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.InboxFaults.deliveries;
import static io.feedkit.testkit.broken.InboxFaults.limits;
import static io.feedkit.testkit.broken.InboxFaults.look;
import static io.feedkit.testkit.broken.InboxFaults.outcomes;
import static io.feedkit.testkit.broken.InboxFaults.ranges;
import static io.feedkit.testkit.broken.InboxFaults.slices;
import static io.feedkit.testkit.broken.InboxFaults.views;
import static io.feedkit.testkit.broken.InboxFaults.withFloor;
import static io.feedkit.testkit.broken.InboxFaults.withPosts;
import static io.feedkit.testkit.broken.Mutant.inbox;
import static java.util.Comparator.comparing;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.broken.InboxFaults.LeakyFloor;
import io.feedkit.testkit.broken.InboxFaults.NeverTrimming;
import io.feedkit.testkit.broken.Parts.AnInbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Inboxes that are wrong about their entries: which, in what order, down to where. */
final class InboxEntryMutants {

    static final List<Mutant> ALL = List.of(
            inbox("drops an entry", "Deliveries.outOfOrder", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                    List<List<Outcome>> outcomes = sound.deliver(deliveries);
                    deliveries.stream()
                            .filter(delivery -> delivery.post().id().endsWith("33"))
                            .forEach(delivery ->
                                    sound.retract(List.of(new Retraction(delivery.post(), delivery.readers()))));
                    return outcomes;
                }
            }),
            slices("serves an entry twice", "Deliveries.idempotent", slice -> {
                List<Post> posts = new ArrayList<>(slice.posts());
                posts.addAll(0, slice.posts().subList(0, Math.min(1, posts.size())));
                return withPosts(slice, posts);
            }),
            slices(
                    "orders ties by id backwards",
                    "Slices.totalOrder",
                    slice -> withPosts(
                            slice,
                            slice.posts().stream()
                                    .sorted(comparing(Post::publishedAt)
                                            .reversed()
                                            .thenComparing(Post::id))
                                    .toList())),
            slices("loses one of two posts of one time and id", "Slices.totalOrder", slice -> {
                Set<String> places = new HashSet<>();
                return withPosts(
                        slice,
                        slice.posts().stream()
                                .filter(post -> places.add(post.publishedAt() + post.id()))
                                .toList());
            }),
            ranges(
                    "includes the upper bound of a range",
                    "Slices.halfOpenRanges",
                    range -> new PositionRange(range.from(), range.below().next())),
            ranges(
                    "excludes the lower bound of a range",
                    "Slices.halfOpenRanges",
                    range -> new PositionRange(range.from().next(), range.below())),
            ranges(
                    "takes a bound for a time only",
                    "Slices.halfOpenRanges",
                    range -> new PositionRange(
                            range.from(), new Position(range.below().millis(), "", ""))),
            ranges(
                    "leaves out the millisecond at which a range begins without an id",
                    "Slices.boundsAreNotPosts",
                    range -> new PositionRange(afterBareTime(range.from()), range.below())),
            inbox("cuts the newest when asked for the oldest", "Slices.limits", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Slice> slice(List<SliceQuery> queries) {
                    return queries.stream().map(this::slice).toList();
                }

                private Slice slice(SliceQuery query) {
                    SliceQuery newest = new SliceQuery(
                            query.reader(), query.range(), Order.NEWEST_FIRST, query.limit(), query.renew());
                    Slice slice = sound.slice(List.of(newest)).get(0);
                    List<Post> posts = new ArrayList<>(slice.posts());
                    if (query.order() == Order.OLDEST_FIRST) {
                        Collections.reverse(posts);
                    }
                    return withPosts(slice, posts);
                }
            }),
            outcomes(
                    "calls a present entry added",
                    "Deliveries.idempotent",
                    outcomes -> replaced(outcomes, Outcome.PRESENT, Outcome.ADDED)),
            outcomes("answers in another order than asked", "Deliveries.answersInOrder", outcomes -> {
                List<Outcome> reversed = new ArrayList<>(outcomes);
                Collections.reverse(reversed);
                return List.copyOf(reversed);
            }),
            inbox("inserts below the floor", "Bounds.trim", (inbox, clock) -> new LeakyFloor(inbox)),
            outcomes(
                    "calls an entry added that its own insertion trimmed",
                    "Bounds.ownInsertionRaisesFloor",
                    outcomes -> replaced(outcomes, Outcome.BELOW_FLOOR, Outcome.ADDED)),
            slices("trims without raising the floor", "Bounds.trim", slice -> withFloor(slice, Position.LOWEST)),
            limits(
                    "serves one entry more than the cap",
                    "Bounds.capIsHard",
                    limits -> new InboxLimits(limits.cap() + 1, limits.liveWindowMillis())),
            limits(
                    "trims one entry too many",
                    "Bounds.upToCap",
                    limits -> new InboxLimits(Math.max(1, limits.cap() - 1), limits.liveWindowMillis())),
            views(
                    "hides what exceeds the cap, but never trims",
                    "Bounds.trim",
                    (store, clock, limits) -> new NeverTrimming(
                            store.inbox(new InboxLimits(100_000, limits.liveWindowMillis())), limits.cap())),
            inbox("lets a later floor be lower", "Merging.lowerFloor", (inbox, clock) -> new AnInbox(inbox) {
                private final Map<String, Position> floors = new ConcurrentHashMap<>();

                @Override
                public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                    floors.put(reader, floor);
                    return sound.merge(reader, generation, posts, floor);
                }

                @Override
                public List<Slice> slice(List<SliceQuery> queries) {
                    List<Slice> slices = sound.slice(queries);
                    return IntStream.range(0, slices.size())
                            .mapToObj(i -> withFloor(
                                    slices.get(i),
                                    floors.getOrDefault(
                                            queries.get(i).reader(),
                                            slices.get(i).floor())))
                            .toList();
                }
            }),
            inbox(
                    "lets a merge overwrite what was pushed",
                    "Merging.keepsPushes",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Map<String, Set<Post>> pushed = new ConcurrentHashMap<>();

                        @Override
                        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                            deliveries.forEach(delivery -> delivery.readers()
                                    .forEach(reader -> pushed.computeIfAbsent(
                                                    reader, unseen -> ConcurrentHashMap.newKeySet())
                                            .add(delivery.post())));
                            return sound.deliver(deliveries);
                        }

                        @Override
                        public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                            pushed.getOrDefault(reader, Set.of())
                                    .forEach(post -> sound.retract(List.of(new Retraction(post, List.of(reader)))));
                            return sound.merge(reader, generation, posts, floor);
                        }
                    }),
            inbox("ignores the floor of a merge", "Merging.raisesFloor", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                    return sound.merge(reader, generation, posts, Position.LOWEST);
                }
            }),
            inbox(
                    "retracts every author's post of that id",
                    "Removal.sameIdOtherAuthor",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public void retract(List<Retraction> retractions) {
                            for (Retraction retraction : retractions) {
                                Post post = retraction.post();
                                Stream.of(post.author(), "amy", "bob")
                                        .map(author -> new Post(author, post.id(), post.publishedAt()))
                                        .forEach(each ->
                                                sound.retract(List.of(new Retraction(each, retraction.readers()))));
                            }
                        }
                    }),
            inbox("retracts a post at all times", "Removal.retractOnePlace", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void retract(List<Retraction> retractions) {
                    sound.remove(retractions.stream()
                            .map(each -> new Removal(each.post().key(), each.readers()))
                            .toList());
                }
            }),
            inbox("removes a post at one time only", "Removal.remove", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void remove(List<Removal> removals) {
                    for (Removal removal : removals) {
                        for (String reader : removal.readers()) {
                            held(sound, reader).stream()
                                    .filter(post -> post.key().equals(removal.key()))
                                    .limit(1)
                                    .forEach(post -> sound.retract(List.of(new Retraction(post, List.of(reader)))));
                        }
                    }
                }
            }),
            inbox("removes every author's post of that id", "Removal.remove", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void remove(List<Removal> removals) {
                    for (Removal removal : removals) {
                        for (String reader : removal.readers()) {
                            held(sound, reader).stream()
                                    .filter(post ->
                                            post.id().equals(removal.key().id()))
                                    .forEach(post -> sound.retract(List.of(new Retraction(post, List.of(reader)))));
                        }
                        sound.remove(List.of(removal));
                    }
                }
            }),
            inbox("retracts only from live inboxes", "Removal.retract", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void retract(List<Retraction> retractions) {
                    for (Retraction retraction : retractions) {
                        List<String> live = retraction.readers().stream()
                                .filter(reader -> look(sound, reader).state() == State.LIVE)
                                .toList();
                        sound.retract(List.of(new Retraction(retraction.post(), live)));
                    }
                }
            }),
            deliveries(
                    "takes readers whose ids differ in case for one",
                    "Deliveries.awkwardReaders",
                    delivery -> new Delivery(
                            delivery.post(),
                            delivery.readers().stream()
                                    .map(reader -> reader.toLowerCase(Locale.ROOT))
                                    .toList(),
                            delivery.seenSince())),
            inbox(
                    "checks for an entry and inserts it in two steps",
                    "Concurrency.overlappingDeliveries",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                            return deliveries.stream().map(this::deliver).toList();
                        }

                        private boolean absent(Delivery delivery) {
                            return delivery.readers().stream()
                                    .noneMatch(reader ->
                                            look(sound, reader).posts().contains(delivery.post()));
                        }

                        private List<Outcome> deliver(Delivery delivery) {
                            boolean absent = absent(delivery);
                            if (absent) {
                                gap.awaitRival(() -> !absent(delivery));
                            }
                            List<Outcome> outcomes =
                                    sound.deliver(List.of(delivery)).get(0);
                            return absent ? replaced(outcomes, Outcome.PRESENT, Outcome.ADDED) : outcomes;
                        }
                    }),
            inbox(
                    "reads the floor and the posts in two steps",
                    "Concurrency.slicesAreConsistent",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                            if (trimmed(look(sound, deliveries.get(0).readers().get(0)))) {
                                gap.awaitVictim();
                            }
                            return sound.deliver(deliveries);
                        }

                        private static boolean trimmed(Slice slice) {
                            return slice.floor().compareTo(Position.LOWEST) > 0;
                        }

                        @Override
                        public List<Slice> slice(List<SliceQuery> queries) {
                            List<Slice> before = sound.slice(queries);
                            if (trimmed(before.get(0))) {
                                gap.awaitRival(() -> !sound.slice(queries).equals(before));
                            }
                            List<Slice> after = sound.slice(queries);
                            return IntStream.range(0, before.size())
                                    .mapToObj(i -> withPosts(
                                            before.get(i), after.get(i).posts()))
                                    .toList();
                        }
                    }));

    private InboxEntryMutants() {}

    /** A time without an id is below every post of that millisecond. */
    private static Position afterBareTime(Position from) {
        return from.id().isEmpty() && from.millis() > 0 ? new Position(from.millis() + 1, "", "") : from;
    }

    private static List<Outcome> replaced(List<Outcome> outcomes, Outcome from, Outcome to) {
        return outcomes.stream().map(outcome -> outcome == from ? to : outcome).toList();
    }

    private static List<Post> held(Inbox inbox, String reader) {
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 100, false);
        return inbox.slice(List.of(query)).get(0).posts();
    }
}
