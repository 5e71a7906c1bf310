package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.inbox;
import static io.feedkit.testkit.broken.Mutant.outbox;

import io.feedkit.PostKey;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.broken.Parts.AnInbox;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Inboxes and outboxes that count wrongly. */
final class CountMutants {

    static final List<Mutant> ALL = List.of(
            above("counts the entry at the position", "Counting.positions", query -> with(query, before(query))),
            above(
                    "counts whole milliseconds",
                    "Counting.positions",
                    query -> with(query, new Position(query.above().millis() + 1, "", ""))),
            above(
                    "reads no entries to count",
                    "Counting.reading",
                    query -> new Inbox.CountQuery(query.reader(), query.above(), query.limit(), query.apart())),
            above(
                    "reads the lowest entry to read too few",
                    "Counting.reading",
                    query -> new Inbox.CountQuery(
                            query.reader(), query.from().next(), query.above(), query.limit(), query.apart())),
            above(
                    "ignores the limit of a count",
                    "Counting.limits",
                    query -> new Inbox.CountQuery(query.reader(), query.above(), 10_000, query.apart())),
            above(
                    "counts nobody apart",
                    "Counting.apart",
                    query -> new Inbox.CountQuery(query.reader(), query.above(), query.limit(), Map.of())),
            above("counts authors apart wherever their posts are", "Counting.apart", query -> {
                Map<String, PositionRange> apart = new HashMap<>();
                query.apart().keySet().forEach(author -> apart.put(author, PositionRange.ALL));
                return new Inbox.CountQuery(query.reader(), query.above(), query.limit(), apart);
            }),
            inbox("takes what is apart off a capped count", "Counting.apart", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Count> count(List<Inbox.CountQuery> queries) {
                    return queries.stream().map(this::count).toList();
                }

                private Count count(Inbox.CountQuery query) {
                    Inbox.CountQuery plain =
                            new Inbox.CountQuery(query.reader(), query.above(), query.limit(), Map.of());
                    Inbox.CountQuery most = new Inbox.CountQuery(query.reader(), query.above(), 10_000, Map.of());
                    Inbox.CountQuery rest = new Inbox.CountQuery(query.reader(), query.above(), 10_000, query.apart());
                    List<Count> counts = sound.count(List.of(plain, most, rest));
                    int apart = counts.get(1).above() - counts.get(2).above();
                    return new Count(
                            counts.get(0).inbox(), Math.max(0, counts.get(0).above() - apart));
                }
            }),
            inbox("opens an inbox to count it", "Counting.opensNothing", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Count> count(List<Inbox.CountQuery> queries) {
                    queries.forEach(query -> sound.complete(
                            query.reader(),
                            sound.open(query.reader(), 1000, false).generation(),
                            0,
                            0));
                    return sound.count(queries);
                }
            }),
            inbox("renews the window to count", "Counting.renewsNothing", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Count> count(List<Inbox.CountQuery> queries) {
                    sound.slice(queries.stream()
                            .map(query ->
                                    new SliceQuery(query.reader(), PositionRange.ALL, Order.NEWEST_FIRST, 1, true))
                            .toList());
                    return sound.count(queries);
                }
            }),
            inbox(
                    "counts what is below the floor of the cap",
                    "Counting.saysWhatSlicesSay",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<Count> count(List<Inbox.CountQuery> queries) {
                            return sound.count(queries).stream()
                                    .map(count -> new Count(
                                            InboxFaults.withFloor(count.inbox(), Position.LOWEST), count.above()))
                                    .toList();
                        }
                    }),
            posts(
                    "counts the upper bound of a range",
                    "Counting.ranges",
                    query -> new Outbox.CountQuery(
                            query.authors(),
                            new PositionRange(
                                    query.range().from(), query.range().below().next()),
                            query.above(),
                            query.limit())),
            posts(
                    "takes the bounds of a count for times",
                    "Counting.oneMillisecond",
                    query -> new Outbox.CountQuery(
                            query.authors(),
                            new PositionRange(
                                    new Position(query.range().from().millis(), "", ""),
                                    query.range().below()),
                            query.above(),
                            query.limit())),
            posts(
                    "counts what was to be read",
                    "Counting.reading",
                    query -> new Outbox.CountQuery(query.authors(), query.range(), query.limit())),
            posts(
                    "reads whole milliseconds",
                    "Counting.reading",
                    query -> new Outbox.CountQuery(
                            query.authors(),
                            query.range(),
                            new Position(query.above().millis(), "", ""),
                            query.limit())),
            outbox("bounds the count of each author alone", "Counting.limits", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public List<Outbox.Counted> count(List<Outbox.CountQuery> queries) {
                    return queries.stream().map(this::count).toList();
                }

                private Outbox.Counted count(Outbox.CountQuery query) {
                    List<Outbox.CountQuery> each = new ArrayList<>();
                    query.authors()
                            .forEach(author -> each.add(new Outbox.CountQuery(
                                    Set.of(author), query.range(), query.above(), query.limit())));
                    List<Outbox.Counted> counts = sound.count(each);
                    return new Outbox.Counted(
                            counts.stream().mapToInt(Outbox.Counted::above).sum(),
                            counts.stream()
                                    .flatMap(count -> count.posts().stream())
                                    .toList());
                }
            }),
            outbox("counts what was deleted of a range", "Counting.deleted", (outbox, clock) -> new AnOutbox(outbox) {
                private final Map<PostKey, Boolean> gone = new ConcurrentHashMap<>();

                @Override
                public List<Boolean> delete(List<PostKey> keys) {
                    keys.forEach(key -> gone.put(key, true));
                    return sound.delete(keys);
                }

                @Override
                public List<Outbox.Counted> count(List<Outbox.CountQuery> queries) {
                    List<Outbox.Counted> counts = new ArrayList<>();
                    List<Outbox.Counted> right = sound.count(queries);
                    for (int i = 0; i < right.size(); i++) {
                        Set<String> authors = queries.get(i).authors();
                        long deleted = gone.keySet().stream()
                                .filter(key -> authors.contains(key.author()))
                                .count();
                        counts.add(new Outbox.Counted(
                                (int) (right.get(i).above() + deleted),
                                right.get(i).posts()));
                    }
                    return counts;
                }
            }),
            posts(
                    "counts the first authors only",
                    "Counting.limits",
                    query -> new Outbox.CountQuery(
                            query.authors().stream().sorted().limit(1).collect(Collectors.toSet()),
                            query.range(),
                            query.above(),
                            query.limit())));

    private CountMutants() {}

    private static Inbox.CountQuery with(Inbox.CountQuery query, Position above) {
        return new Inbox.CountQuery(query.reader(), above, query.limit(), query.apart());
    }

    /** Below the position, if one can be named, and above whatever lies below it. */
    private static Position before(Inbox.CountQuery query) {
        Position above = query.above();
        return above.author().isEmpty() ? above : new Position(above.millis(), above.id(), "");
    }

    private static Mutant above(String name, String caughtBy, UnaryOperator<Inbox.CountQuery> breaking) {
        return inbox(name, caughtBy, (inbox, clock) -> new AnInbox(inbox) {
            @Override
            public List<Count> count(List<Inbox.CountQuery> queries) {
                return sound.count(queries.stream().map(breaking).toList());
            }
        });
    }

    private static Mutant posts(String name, String caughtBy, UnaryOperator<Outbox.CountQuery> breaking) {
        return outbox(name, caughtBy, (outbox, clock) -> new AnOutbox(outbox) {
            @Override
            public List<Outbox.Counted> count(List<Outbox.CountQuery> queries) {
                return sound.count(queries.stream().map(breaking).toList());
            }
        });
    }
}
