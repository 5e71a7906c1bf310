package io.feedkit.testkit.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Random calls of hosts on a store and on a model. What hosts read must be equal after each call. Some calls are made
 * in a transaction, and a store behind a cache writes late changes now and then. A history has its own ids, so that
 * several histories fit into one store.
 */
public final class UserHistory {

    private static final Duration WINDOW = Duration.ofHours(3);
    private static final List<String> TYPES = List.of("like", "comment");
    private static final List<String> OPERATIONS =
            IntStream.range(0, 6).mapToObj(i -> "o" + i).toList();
    private static final int MOST = 3;
    private static final String VOTE = "vote";

    /** The store under test, and what a history needs with it. */
    public interface Host {

        /** The store. */
        CounterStore store();

        /** Writes late changes. */
        void flush();

        /** Does work in a transaction, which is committed or rolled back. */
        void inTransaction(boolean committed, Consumer<CounterStore> work);

        /** Lets time pass. */
        void pass(Duration time);

        /** The clock. */
        Clock clock();
    }

    /** A call, which may take part in a transaction of any store. */
    private record Call(boolean mayJoin, Consumer<CounterStore> on) {}

    private final Host host;
    private final CounterStore model;
    private final Random random;
    private final List<String> users;
    private final String talk;
    private final String dot;
    private final List<String> posts;
    /** What clients were shown, in the order of the reads. */
    private final List<UnreadCounts> shown = new ArrayList<>();

    private int announced;

    /**
     * A history.
     *
     * @param host the store under test
     * @param model the model, with the same clock
     * @param seed selects the history
     */
    public UserHistory(Host host, CounterStore model, long seed) {
        this.host = host;
        this.model = model;
        this.random = new Random(seed);
        this.users = List.of("hann" + seed, "hben" + seed);
        this.talk = "htalk" + seed;
        this.dot = "hdot" + seed;
        this.posts = List.of("hp" + seed, "hq" + seed);
    }

    /**
     * Makes some calls.
     *
     * @param steps how many
     */
    public void run(int steps) {
        for (int step = 0; step < steps; step++) {
            String done = step();
            assertThat(seen(host.store())).as("step %d: %s", step, done).isEqualTo(seen(model));
        }
    }

    private String step() {
        int kind = random.nextInt(21);
        if (kind == 0) {
            host.flush();
            return "flush";
        }
        if (kind == 1) {
            host.pass(Duration.ofHours(random.nextInt(9)));
            return "time";
        }
        String user = pick(users);
        if (kind == 2) {
            shown.add(UnreadCounter.of(model).get(user));
            return "read";
        }
        Call call = call(kind, user);
        boolean joins = call.mayJoin() && random.nextInt(3) == 0;
        boolean committed = !joins || random.nextInt(4) > 0;
        if (committed) {
            tolerant(call.on(), model);
        }
        if (joins) {
            host.inTransaction(committed, joined -> tolerant(call.on(), joined));
        } else {
            tolerant(call.on(), host.store());
        }
        return "call " + kind + (joins ? committed ? " committed" : " rolled back" : "");
    }

    /** Makes a call, and ignores the exception for a user who is not a member. */
    private static void tolerant(Consumer<CounterStore> call, CounterStore store) {
        try {
            call.accept(store);
        } catch (NotAMemberException e) {
            assertThat(e).isNotNull();
        }
    }

    private Call call(int kind, String user) {
        String type = pick(TYPES);
        String operation = pick(OPERATIONS);
        long amount = 1L + random.nextInt(MOST);
        return switch (kind) {
            case 3 -> {
                boolean adds = random.nextInt(3) > 0;
                yield joining(store -> {
                    if (adds) {
                        UnreadCounter.of(store).add(List.of(user), type, amount);
                    } else {
                        UnreadCounter.of(store).remove(user, type, amount);
                    }
                });
            }
            case 4, 5, 6 -> joining(store -> UnreadCounter.of(store).add(List.of(user), type, amount, operation));
            case 7, 8 -> joining(store -> UnreadCounter.of(store).remove(user, type, operation));
            case 9 -> joining(store -> UnreadCounter.of(store).markAllSeen(user, type));
            case 10, 11 -> {
                UnreadCounts counts = shown.isEmpty() ? new UnreadCounts(user, Map.of(), Map.of()) : pick(shown);
                yield joining(store -> UnreadCounter.of(store).markSeen(counts.user(), counts.counted()));
            }
            case 12 -> {
                shown.removeIf(counts -> counts.user().equals(user));
                yield new Call(false, store -> FeedCounters.of(store).forget(user));
            }
            case 13 -> {
                String post = pick(posts);
                yield new Call(
                        false, store -> Views.of(store, WINDOW, host.clock()).add(user, post));
            }
            case 14 -> joining(store -> Counters.of(store).add("plays", talk, amount));
            case 15 -> conversation(user);
            case 16 -> announcement(user);
            case 17, 18, 19 -> reaction(user);
            default -> {
                boolean lights = random.nextBoolean();
                yield joining(store -> {
                    if (lights) {
                        RedDots.of(store).add(dot);
                    } else {
                        RedDots.of(store).markSeen(user, dot);
                    }
                });
            }
        };
    }

    private static Call joining(Consumer<CounterStore> on) {
        return new Call(true, on);
    }

    private Call conversation(String user) {
        long number = random.nextInt(6);
        Consumer<Conversations> call = switch (random.nextInt(5)) {
            case 0 -> talks -> talks.join(talk, user);
            case 1, 2 -> talks -> talks.add(talk, user);
            case 3 -> talks -> talks.markSeen(talk, user, number);
            default -> talks -> talks.leave(talk, user);
        };
        return joining(store -> call.accept(Conversations.of(store)));
    }

    private Call reaction(String user) {
        String post = pick(posts);
        String choice = pick(TYPES);
        return switch (random.nextInt(6)) {
            case 0 -> joining(store -> Reactions.of(store).remove(user, post));
            case 1 -> joining(store -> ExclusiveReactions.of(store, VOTE).remove(user, post));
            case 2, 3 -> joining(store -> ExclusiveReactions.of(store, VOTE).choose(user, post, choice));
            default -> joining(store -> Reactions.of(store).keepingNewest(1).add(user, post));
        };
    }

    private Call announcement(String user) {
        int kind = random.nextInt(3);
        String id = talk + "/" + announced;
        announced += kind == 0 ? 1 : 0;
        Consumer<Announcements> call = switch (kind) {
            case 0 -> announcements -> announcements.add(id, talk);
            case 1 -> announcements -> announcements.enter(user);
            default -> announcements -> announcements.markAllSeen(user);
        };
        return joining(store -> call.accept(Announcements.of(store)));
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** The results that hosts read. */
    private List<Object> seen(CounterStore store) {
        return List.of(
                UnreadCounter.of(store).get(users),
                users.stream()
                        .map(user -> List.of(
                                Conversations.of(store).get(user, List.of(talk)),
                                Announcements.of(store).get(user, Set.of(talk)),
                                RedDots.of(store).get(user, List.of(dot))))
                        .toList(),
                posts.stream()
                        .map(post -> List.of(
                                Reactions.of(store).newest(post, 5),
                                ExclusiveReactions.of(store, VOTE).newest(post, TYPES.get(0), 5)))
                        .toList(),
                users.stream()
                        .map(user -> List.of(
                                Reactions.of(store).posts(user, 5).posts(),
                                ExclusiveReactions.of(store, VOTE)
                                        .posts(user, 5)
                                        .posts(),
                                ExclusiveReactions.of(store, VOTE).chosen(user, posts)))
                        .toList(),
                Reactions.of(store).get(posts),
                ExclusiveReactions.of(store, VOTE).get(posts),
                Views.of(store, WINDOW, host.clock()).get(posts),
                Counters.of(store).get("plays", talk),
                Conversations.of(store).last(talk));
    }
}
