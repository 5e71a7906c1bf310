package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.InboxFaults.deliveries;
import static io.feedkit.testkit.broken.InboxFaults.look;
import static io.feedkit.testkit.broken.InboxFaults.queries;
import static io.feedkit.testkit.broken.InboxFaults.slices;
import static io.feedkit.testkit.broken.InboxFaults.views;
import static io.feedkit.testkit.broken.InboxFaults.with;
import static io.feedkit.testkit.broken.InboxFaults.withFollowees;
import static io.feedkit.testkit.broken.Mutant.inbox;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Merge;
import io.feedkit.spi.Inbox.Opening;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.PendingChange;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.broken.InboxFaults.Reviving;
import io.feedkit.testkit.broken.Parts.AnInbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Inboxes that are wrong about when they are live, whose they are, and what the reader follows. */
final class InboxLifeMutants {

    static final List<Mutant> ALL = List.of(
            inbox("keeps posts for a closed inbox", "Deliveries.notLive", (inbox, clock) -> new AnInbox(inbox) {
                private final Map<String, List<Post>> kept = new ConcurrentHashMap<>();

                @Override
                public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                    deliveries.forEach(delivery -> delivery.readers().stream()
                            .filter(reader -> look(sound, reader).state() == State.ABSENT)
                            .forEach(reader -> kept.computeIfAbsent(reader, unseen -> new ArrayList<>())
                                    .add(delivery.post())));
                    return sound.deliver(deliveries);
                }

                @Override
                public boolean complete(String reader, long generation, long mark, long followees) {
                    kept.getOrDefault(reader, List.of())
                            .forEach(post -> sound.deliver(List.of(new Delivery(post, List.of(reader), 0))));
                    return sound.complete(reader, generation, mark, followees);
                }
            }),
            inbox("lists no reader without an inbox", "Follows.listed", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void forEachReader(Predicate<List<String>> visitor) {
                    sound.forEachReader(readers -> {
                        List<String> some = readers.stream()
                                .filter(reader -> look(sound, reader).state() != State.ABSENT)
                                .toList();
                        return some.isEmpty() || visitor.test(some);
                    });
                }
            }),
            inbox("opens an inbox for whoever gets a post", "Deliveries.notLive", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                    deliveries.forEach(delivery -> delivery.readers().forEach(reader -> {
                        Opening opening = sound.open(reader, 1000, false);
                        sound.complete(reader, opening.generation(), 1, 0);
                    }));
                    return sound.deliver(deliveries);
                }
            }),
            inbox(
                    "renews the live window with pushes",
                    "LiveWindow.deliveriesDoNotRenew",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                            deliveries.forEach(delivery -> delivery.readers().forEach(reader -> renew(this, reader)));
                            return sound.deliver(deliveries);
                        }
                    }),
            queries(
                    "renews the live window with upkeep",
                    "LiveWindow.upkeepDoesNotRenew",
                    query -> renewing(query, true)),
            queries(
                    "does not renew the live window with reads",
                    "LiveWindow.readsRenew",
                    query -> renewing(query, false)),
            inbox(
                    "renews the live window with a mark",
                    "LiveWindow.marksDoNotRenew",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public boolean complete(String reader, long generation, long mark, long followees) {
                            renew(this, reader);
                            return sound.complete(reader, generation, mark, followees);
                        }
                    }),
            inbox(
                    "renews the live window when asked to open",
                    "LiveWindow.openDoesNotRenew",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public Opening open(String reader, long leaseMillis, boolean replace) {
                            renew(this, reader);
                            return sound.open(reader, leaseMillis, replace);
                        }
                    }),
            views(
                    "revives an expired inbox",
                    "LiveWindow.expiryIsIrreversible",
                    (store, clock, limits) -> new Reviving(
                            store.inbox(new InboxLimits(limits.cap(), Long.MAX_VALUE / 4)),
                            clock,
                            limits.liveWindowMillis())),
            deliveries(
                    "delivers to readers not seen lately",
                    "LiveWindow.notSeenSince",
                    delivery -> new Delivery(delivery.post(), delivery.readers(), 0)),
            inbox(
                    "does not count a building inbox as seen",
                    "LiveWindow.buildingCountsAsSeen",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                            return sound.deliver(deliveries.stream()
                                    .map(delivery ->
                                            delivery.seenSince() == 0 ? delivery : passingBuilders(sound, delivery))
                                    .toList());
                        }
                    }),
            inbox("refuses pushes while building", "States.completeMakesLive", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                    return sound.deliver(deliveries.stream()
                            .map(delivery -> passingBuilders(sound, delivery))
                            .toList());
                }
            }),
            slices(
                    "serves a building inbox",
                    "States.buildingServesNothing",
                    slice -> slice.state() == State.BUILDING
                            ? with(slice, State.BUILDING, List.of(Post.of("bob", "1", 1)), Position.LOWEST)
                            : slice),
            slices(
                    "forgets the mark",
                    "States.completeMakesLive",
                    slice -> new Slice(
                            slice.state(),
                            slice.posts(),
                            slice.floor(),
                            slice.generation(),
                            0,
                            slice.followees(),
                            slice.epoch(),
                            slice.pending())),
            inbox("merges for a stale builder", "States.staleBuilder", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                    return sound.merge(reader, look(sound, reader).generation(), posts, floor);
                }
            }),
            inbox("completes for a stale builder", "States.staleBuilder", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public boolean complete(String reader, long generation, long mark, long followees) {
                    return sound.complete(reader, look(sound, reader).generation(), mark, followees);
                }
            }),
            inbox(
                    "checks the generation and merges in two steps",
                    "Concurrency.mergeAndReplace",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
                            if (look(sound, reader).generation() != generation) {
                                return false;
                            }
                            gap.awaitRival(() -> look(sound, reader).generation() != generation);
                            return sound.merge(reader, look(sound, reader).generation(), posts, floor);
                        }

                        @Override
                        public Opening open(String reader, long leaseMillis, boolean replace) {
                            gap.awaitVictim();
                            return sound.open(reader, leaseMillis, replace);
                        }
                    }),
            inbox("uses a generation again", "States.generationsAreNew", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Opening open(String reader, long leaseMillis, boolean replace) {
                    Opening opening = sound.open(reader, leaseMillis, replace);
                    return new Opening(opening.status(), Math.min(1, opening.generation()));
                }

                @Override
                public boolean complete(String reader, long generation, long mark, long followees) {
                    return sound.complete(reader, look(sound, reader).generation(), mark, followees);
                }
            }),
            inbox(
                    "replaces a builder before its lease is over",
                    "States.openFindsBuilder",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public Opening open(String reader, long leaseMillis, boolean replace) {
                            if (look(sound, reader).state() == State.BUILDING) {
                                sound.drop(List.of(reader));
                            }
                            return sound.open(reader, leaseMillis, replace);
                        }
                    }),
            inbox("replaces a live inbox unasked", "States.openFindsLive", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Opening open(String reader, long leaseMillis, boolean replace) {
                    return sound.open(reader, leaseMillis, true);
                }
            }),
            inbox("never lets a builder be replaced", "States.staleBuilder", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Opening open(String reader, long leaseMillis, boolean replace) {
                    return sound.open(reader, Long.MAX_VALUE / 4, replace);
                }
            }),
            inbox(
                    "checks for a builder and opens in two steps",
                    "Concurrency.oneBuilder",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Gap gap = new Gap();

                        @Override
                        public Opening open(String reader, long leaseMillis, boolean replace) {
                            if (look(sound, reader).state() == State.BUILDING) {
                                return sound.open(reader, leaseMillis, replace);
                            }
                            gap.awaitRival(() -> look(sound, reader).state() == State.BUILDING);
                            sound.drop(List.of(reader));
                            return sound.open(reader, leaseMillis, replace);
                        }
                    }),
            inbox("purges whatever the epoch", "Removal.purgeRefused", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public boolean purge(String reader, Collection<String> authors, long token) {
                    Slice slice = look(sound, reader);
                    boolean pending = authors.stream().anyMatch(slice.pending()::contains);
                    return sound.purge(reader, authors, pending ? token : slice.epoch());
                }
            }),
            inbox(
                    "purges by the epoch beside a pending follow",
                    "Removal.purgeByPendingFollow",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public boolean purge(String reader, Collection<String> authors, long token) {
                            Slice slice = look(sound, reader);
                            if (slice.epoch() == token) {
                                slice.posts().stream()
                                        .filter(post -> authors.contains(post.author()))
                                        .forEach(post -> sound.retract(List.of(new Retraction(post, List.of(reader)))));
                            }
                            return sound.purge(reader, authors, token);
                        }
                    }),
            inbox("purges all of many or none", "Removal.purgeMany", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public boolean purge(String reader, Collection<String> authors, long token) {
                    boolean all = authors.stream().allMatch(author -> sound.purge(reader, List.of("", author), token));
                    return all && sound.purge(reader, authors, token);
                }
            }),
            inbox(
                    "purges authors with the same beginning",
                    "Removal.purgeAwkwardAuthors",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public boolean purge(String reader, Collection<String> authors, long token) {
                            look(sound, reader).posts().stream()
                                    .map(Post::author)
                                    .filter(each -> authors.stream().anyMatch(each::startsWith))
                                    .forEach(each -> sound.purge(reader, List.of(each), token));
                            return sound.purge(reader, authors, token);
                        }
                    }),
            inbox(
                    "leaves the epoch when the followees are others",
                    "Follows.checksumMovesEpoch",
                    (inbox, clock) -> new AnInbox(inbox) {
                        private final Map<String, Long> recorded = new ConcurrentHashMap<>();

                        @Override
                        public boolean complete(String reader, long generation, long mark, long followees) {
                            recorded.put(reader, followees);
                            return sound.complete(reader, generation, mark, 0);
                        }

                        @Override
                        public List<Slice> slice(List<SliceQuery> queries) {
                            List<Slice> slices = new ArrayList<>();
                            for (SliceQuery query : queries) {
                                Slice slice = sound.slice(List.of(query)).get(0);
                                slices.add(
                                        slice.state() == State.LIVE
                                                ? withFollowees(slice, recorded.getOrDefault(query.reader(), 0L))
                                                : slice);
                            }
                            return slices;
                        }
                    }),
            slices("forgets the checksum", "Follows.checksum", slice -> withFollowees(slice, 0)),
            inbox("toggles nothing", "Follows.toggles", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
                    return sound.endFollow(reader, authors, token, 0);
                }
            }),
            inbox("toggles for a change that ended in part", "Follows.toggles", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
                    Set<String> refused = sound.endFollow(reader, authors, token, toggled);
                    if (!refused.isEmpty() && refused.size() < authors.size()) {
                        long another = sound.beginFollow(reader, List.of("another"));
                        sound.endFollow(reader, List.of("another"), another, toggled);
                    }
                    return refused;
                }
            }),
            inbox("begins the first of many", "Follows.many", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public long beginFollow(String reader, Collection<String> authors) {
                    return sound.beginFollow(reader, List.of(authors.iterator().next()));
                }
            }),
            inbox("purges nothing for many readers", "Follows.manyReaders", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public List<Boolean> purge(List<PendingChange> changes) {
                    return sound.purge(changes.subList(0, 1));
                }
            }),
            inbox(
                    "ends changes of many readers by any token",
                    "Follows.manyReaders",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<Set<String>> endFollow(List<PendingChange> changes) {
                            List<Set<String>> refused = sound.endFollow(changes);
                            return refused.stream()
                                    .map(authors -> Set.<String>of())
                                    .toList();
                        }
                    }),
            inbox(
                    "merges into many inboxes above their floors",
                    "Merging.manyReaders",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public List<Boolean> merge(List<Merge> merges) {
                            return sound.merge(merges.stream()
                                    .map(merge -> new Merge(
                                            merge.reader(), merge.generation(), merge.posts(), Position.LOWEST))
                                    .toList());
                        }
                    }),
            inbox("ends all of many or none", "Follows.someOfMany", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
                    boolean pending = look(sound, reader).pending().containsAll(authors);
                    return pending ? sound.endFollow(reader, authors, token, toggled) : Set.copyOf(authors);
                }
            }),
            inbox("ends a follow by any token", "Follows.beginAgain", (inbox, clock) -> new AnInbox(inbox) {
                private final Map<String, Long> tokens = new ConcurrentHashMap<>();

                @Override
                public long beginFollow(String reader, Collection<String> authors) {
                    long token = sound.beginFollow(reader, authors);
                    authors.forEach(author -> tokens.put(reader + " " + author, token));
                    return token;
                }

                @Override
                public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
                    String first = authors.iterator().next();
                    return sound.endFollow(reader, authors, tokens.getOrDefault(reader + " " + first, token), toggled);
                }
            }),
            slices(
                    "forgets pending follows when there is no inbox",
                    "Follows.keptByExpiry",
                    slice -> new Slice(
                            slice.state(),
                            slice.posts(),
                            slice.floor(),
                            slice.generation(),
                            slice.mark(),
                            slice.followees(),
                            slice.epoch(),
                            slice.state() == State.ABSENT ? Set.of() : slice.pending())),
            inbox("keeps pending follows when dropped", "Follows.goneWithDrop", (inbox, clock) -> new AnInbox(inbox) {
                @Override
                public void drop(List<String> readers) {
                    for (String reader : readers) {
                        Set<String> pending = look(sound, reader).pending();
                        sound.drop(List.of(reader));
                        pending.forEach(author -> sound.beginFollow(reader, List.of(author)));
                    }
                }
            }),
            inbox(
                    "drops readers with the same beginning",
                    "Deliveries.awkwardReaders",
                    (inbox, clock) -> new AnInbox(inbox) {
                        @Override
                        public void drop(List<String> readers) {
                            readers.forEach(reader -> sound.drop(
                                    Stream.of("", ":", "a").map(reader::concat).toList()));
                        }
                    }));

    private InboxLifeMutants() {}

    private static void renew(AnInbox inbox, String reader) {
        inbox.sound.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, true)));
    }

    private static SliceQuery renewing(SliceQuery query, boolean renew) {
        return new SliceQuery(query.reader(), query.range(), query.order(), query.limit(), renew);
    }

    /** The delivery, with nobody in the places of readers whose inboxes are building. */
    private static Delivery passingBuilders(Inbox inbox, Delivery delivery) {
        return new Delivery(
                delivery.post(),
                delivery.readers().stream()
                        .map(reader -> look(inbox, reader).state() == State.BUILDING ? "nobody" : reader)
                        .toList(),
                delivery.seenSince());
    }
}
