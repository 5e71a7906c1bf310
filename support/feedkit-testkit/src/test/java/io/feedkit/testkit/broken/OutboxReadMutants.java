package io.feedkit.testkit.broken;

import static io.feedkit.testkit.broken.Mutant.outbox;
import static java.util.Comparator.comparing;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.broken.Parts.ALog;
import io.feedkit.testkit.broken.Parts.AnOutbox;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testkit.internal.Samples;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Outboxes that read wrongly. */
final class OutboxReadMutants {

    static final List<Mutant> ALL = List.of(
            newest("ignores the range of the newest", "Newest.halfOpenRanges", range -> PositionRange.ALL, 0),
            newest("gives one more of the newest than asked for", "Newest.newestFirstPerAuthor", range -> range, 1),
            newest(
                    "takes a bound of the newest for a time only",
                    "Newest.halfOpenRanges",
                    OutboxReadMutants::timesOnly,
                    0),
            newest(
                    "forgets the author in a bound",
                    "Newest.boundsOfOtherAuthors",
                    OutboxReadMutants::withoutAuthors,
                    0),
            outbox(
                    "leaves authors without posts out of the newest",
                    "Newest.answersInOrder",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
                            return sound.newest(authors, range, each).stream()
                                    .filter(posts -> !posts.isEmpty())
                                    .toList();
                        }
                    }),
            pages(
                    "skips ties at the edge of a page",
                    "Pages.walks",
                    query -> new PageQuery(query.authors(), timesOnly(query.range()), query.order(), query.limit())),
            pages(
                    "forgets the author in the bounds of a page",
                    "Pages.halfOpenRanges",
                    query -> new PageQuery(
                            query.authors(), withoutAuthors(query.range()), query.order(), query.limit())),
            pages(
                    "leaves out the millisecond at which a page begins without an id",
                    "Pages.boundsAreNotPosts",
                    query ->
                            new PageQuery(query.authors(), afterBareTime(query.range()), query.order(), query.limit())),
            pages(
                    "reads a page of the first authors only",
                    "Pages.walks",
                    query -> new PageQuery(
                            query.authors().stream().sorted().limit(10).collect(Collectors.toSet()),
                            query.range(),
                            query.order(),
                            query.limit())),
            outbox(
                    "cuts the newest when asked for the oldest",
                    "Pages.limits",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<Post> page(PageQuery query) {
                            List<Post> posts = new ArrayList<>(sound.page(
                                    new PageQuery(query.authors(), query.range(), Order.NEWEST_FIRST, query.limit())));
                            if (query.order() == Order.OLDEST_FIRST) {
                                Collections.reverse(posts);
                            }
                            return List.copyOf(posts);
                        }
                    }),
            outbox(
                    "shows posts ahead of their time that it holds back",
                    "Heads.ahead",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public boolean holdsBack() {
                            return true;
                        }

                        @Override
                        public List<Appended> append(List<Publication> publications) {
                            return sound.append(publications).stream()
                                    .map(answer -> isAhead(answer, clock)
                                            ? new Appended(Status.NEW, answer.post(), true)
                                            : answer)
                                    .toList();
                        }
                    }),
            outbox(
                    "hides posts ahead of their time without saying so",
                    "Heads.ahead",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
                            return sound.newest(
                                    authors,
                                    new PositionRange(range.from(), new Position(clock.millis() + 1, "", "")),
                                    each);
                        }
                    }),
            outbox("orders ties of a page by id backwards", "Pages.merged", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public List<Post> page(PageQuery query) {
                    return sound.page(query).stream()
                            .sorted(comparing(Post::publishedAt).reversed().thenComparing(Post::id))
                            .toList();
                }
            }),
            outbox("lists only the first tasks", "Heads.listed", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public FanoutLog fanout() {
                    return new ALog(sound.fanout()) {
                        @Override
                        public void forEachUnfinished(Predicate<List<Task>> visitor) {
                            sound.forEachUnfinished(tasks -> {
                                boolean unused = visitor.test(tasks);
                                return false;
                            });
                        }
                    };
                }
            }),
            outbox("takes a deleted post for existing", "Heads.existing", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public Map<PostKey, Post> existing(Collection<PostKey> keys) {
                    return keys.stream()
                            .distinct()
                            .collect(Collectors.toMap(
                                    key -> key, key -> Post.of(key.author(), key.id(), Samples.EPOCH)));
                }
            }),
            outbox("finds posts at the time of another", "Heads.existing", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public Map<PostKey, Post> existing(Collection<PostKey> keys) {
                    Map<PostKey, Post> wrong = new HashMap<>(sound.existing(keys));
                    wrong.replaceAll((key, post) -> Post.of(key.author(), key.id(), Samples.EPOCH + 77));
                    return wrong;
                }
            }),
            outbox("counts deleted posts", "Heads.countIsExact", (outbox, clock) -> new AnOutbox(outbox) {
                private final AtomicInteger deletions = new AtomicInteger();

                @Override
                public List<Boolean> delete(List<PostKey> keys) {
                    deletions.addAndGet(keys.size());
                    return sound.delete(keys);
                }

                @Override
                public List<Counted> count(List<CountQuery> queries) {
                    return sound.count(queries).stream()
                            .map(each -> new Counted(each.above() + deletions.get(), each.posts()))
                            .toList();
                }
            }),
            outbox("dates the last append by a post", "Heads.lastAppended", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public Map<String, Long> lastAppended(Collection<String> authors) {
                    return changed(sound.lastAppended(authors), at -> 1_700_000_000_000L);
                }
            }),
            outbox("knows a last append of anybody", "Heads.onlyPublishers", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public Map<String, Long> lastAppended(Collection<String> authors) {
                    Map<String, Long> times = new HashMap<>();
                    authors.forEach(author -> times.put(author, 0L));
                    times.putAll(sound.lastAppended(authors));
                    return times;
                }
            }),
            outbox(
                    "settles everything at once",
                    "SettledMark.behindUnfinished",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public long settledMark() {
                            return clock.millis();
                        }
                    }),
            outbox(
                    "does not settle before all is retracted",
                    "SettledMark.retractionsApart",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        @Override
                        public long settledMark() {
                            return RegisterSnapshot.of(sound.pulled())
                                            .retracting()
                                            .isEmpty()
                                    ? sound.settledMark()
                                    : 0;
                        }
                    }),
            outbox("never settles", "SettledMark.followsTheClock", (outbox, clock) -> new AnOutbox(outbox) {
                @Override
                public long settledMark() {
                    return 0;
                }
            }),
            outbox(
                    "does not take a settled mark back",
                    "SettledMark.deadAndReplayed",
                    (outbox, clock) -> new AnOutbox(outbox) {
                        private final AtomicLong highest = new AtomicLong();

                        @Override
                        public long settledMark() {
                            return highest.accumulateAndGet(sound.settledMark(), Math::max);
                        }
                    }));

    private OutboxReadMutants() {}

    private static Mutant newest(String name, String caughtBy, UnaryOperator<PositionRange> breaking, int more) {
        return outbox(name, caughtBy, (outbox, clock) -> new AnOutbox(outbox) {
            @Override
            public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
                return sound.newest(authors, breaking.apply(range), each + more);
            }
        });
    }

    private static Mutant pages(String name, String caughtBy, UnaryOperator<PageQuery> breaking) {
        return outbox(name, caughtBy, (outbox, clock) -> new AnOutbox(outbox) {
            @Override
            public List<Post> page(PageQuery query) {
                return sound.page(breaking.apply(query));
            }
        });
    }

    private static boolean isAhead(Appended answer, Clock clock) {
        return answer.status() == Status.NEW && answer.post().publishedAt().isAfter(clock.instant());
    }

    private static Map<String, Long> changed(Map<String, Long> numbers, UnaryOperator<Long> change) {
        Map<String, Long> changed = new HashMap<>(numbers);
        changed.replaceAll((author, number) -> change.apply(number));
        return changed;
    }

    /** A time without an id is below every post of that millisecond. */
    private static PositionRange afterBareTime(PositionRange range) {
        Position from = range.from();
        boolean bareTime = from.id().isEmpty() && from.millis() > 0;
        return bareTime ? new PositionRange(new Position(from.millis() + 1, "", ""), range.below()) : range;
    }

    private static PositionRange timesOnly(PositionRange range) {
        return new PositionRange(
                new Position(range.from().millis(), "", ""),
                new Position(range.below().millis(), "", ""));
    }

    private static PositionRange withoutAuthors(PositionRange range) {
        return new PositionRange(
                new Position(range.from().millis(), range.from().id(), ""),
                new Position(range.below().millis(), range.below().id(), ""));
    }
}
