package io.feedkit.testkit.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.counter.Views;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.Conversations.Loaded;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls of several steps, one of which fails. A call that changed something must not report that nothing was done, and
 * repeating the call finishes it.
 */
public final class HalfDoneCalls {

    private static final Duration WINDOW = Duration.ofHours(1);

    /** A call that uses ids with a prefix of its own. */
    private interface Step {
        void on(CounterStore store, String id);
    }

    private static final Map<String, Step> CALLS = Map.ofEntries(
            Map.entry(
                    "Announcements.markAllSeen",
                    (store, id) -> Announcements.of(store).markAllSeen(id + "ann")),
            Map.entry(
                    "Conversations.join", (store, id) -> Conversations.of(store).join(id + "new", id + "ann")),
            Map.entry(
                    "Conversations.leave",
                    (store, id) -> Conversations.of(store).leave(id + "talk", id + "ann")),
            Map.entry(
                    "Conversations.load",
                    (store, id) ->
                            Conversations.of(store).load(List.of(new Loaded(id + "new", 7, Map.of(id + "ann", 3L))))),
            Map.entry(
                    "Conversations.forget",
                    (store, id) -> Conversations.of(store).forget(id + "ann")),
            Map.entry(
                    "Conversations.remove",
                    (store, id) -> Conversations.of(store).remove(id + "talk", 2)),
            Map.entry(
                    "Counters.getOrLoad",
                    (store, id) -> Counters.of(store)
                            .getOrLoad("plays", List.of(id + "song"), ids -> Map.of(id + "song", 40L))),
            Map.entry("RedDots.add", (store, id) -> RedDots.of(store).add(id + "dot")),
            Map.entry("RedDots.add-users", (store, id) -> RedDots.of(store).add(id + "dot", List.of(id + "ann"))),
            Map.entry("RedDots.markSeen", (store, id) -> RedDots.of(store).markSeen(id + "ann", id + "lit")),
            Map.entry(
                    "Reactions.add",
                    (store, id) -> Reactions.of(store)
                            .add(List.of(new Reaction(id + "ben", id + "p"), new Reaction(id + "ann", id + "q")))),
            Map.entry("Reactions.remove", (store, id) -> Reactions.of(store).remove(id + "ann", id + "p")),
            Map.entry("Reactions.forgetPost", (store, id) -> Reactions.of(store).forgetPost(id + "p")),
            Map.entry(
                    "ExclusiveReactions.choose",
                    (store, id) -> ExclusiveReactions.of(store, "vote").choose(id + "ann", id + "p", "down")),
            Map.entry(
                    "ExclusiveReactions.remove",
                    (store, id) -> ExclusiveReactions.of(store, "vote").remove(id + "ann", id + "p")),
            Map.entry("Reactions.forget", (store, id) -> Reactions.of(store).forget(id + "ann")),
            Map.entry(
                    "FeedCounters.forget", (store, id) -> FeedCounters.of(store).forget(id + "ann")),
            Map.entry("Views.forgetPost", (store, id) -> views(store).forgetPost(id + "p")));

    private final CounterStore store;

    /**
     * Calls on a store.
     *
     * @param store the store, which works
     */
    public HalfDoneCalls(CounterStore store) {
        this.store = store;
    }

    private static Views views(CounterStore store) {
        return Views.of(store, WINDOW, Clock.systemUTC());
    }

    private void begin(String id) {
        String ann = id + "ann";
        UnreadCounter.of(store).add(List.of(ann), "like", 3);
        Conversations talks = Conversations.of(store);
        talks.join(id + "talk", ann);
        talks.join(id + "talk", id + "ben");
        talks.add(id + "talk", id + "ben");
        talks.add(id + "talk", id + "ben");
        Announcements.of(store).enter(ann);
        Announcements.of(store).add(id + "news", id + "segment");
        RedDots.of(store).add(id + "lit");
        Reactions.of(store).add(ann, id + "p");
        Reactions.of(store, "clap").add(ann, id + "p");
        ExclusiveReactions.of(store, "vote").choose(ann, id + "p", "up");
        views(store).add(ann, id + "p");
    }

    /** The results that hosts see. */
    private Map<String, Object> seen(String id) {
        String ann = id + "ann";
        List<String> posts = List.of(id + "p", id + "q");
        List<String> talks = List.of(id + "talk", id + "new");
        Reactions likes = Reactions.of(store);
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        return Map.ofEntries(
                Map.entry("types", UnreadCounter.of(store).get(ann).byType()),
                Map.entry("talks", Conversations.of(store).get(ann, talks)),
                Map.entry("last", Conversations.of(store).last(id + "new")),
                Map.entry("member of", without(id, joined(ann))),
                Map.entry("announcements", Announcements.of(store).get(ann, Set.of(id + "segment"))),
                Map.entry("dots", without(id, RedDots.of(store).get(ann, List.of(id + "dot", id + "lit")))),
                Map.entry("plays", Counters.of(store).get("plays", id + "song")),
                Map.entry("likes", List.of(likes.get(posts), without(id, likes.reacted(ann, posts)))),
                Map.entry("liked", without(id, likes.posts(ann, 5).posts())),
                Map.entry(
                        "who liked",
                        posts.stream()
                                .map(post -> without(id, likes.newest(post, 5).users()))
                                .toList()),
                Map.entry("claps", Reactions.of(store, "clap").get(posts)),
                Map.entry(
                        "votes",
                        List.of(
                                votes.get(posts),
                                List.copyOf(votes.chosen(ann, posts).values()))),
                Map.entry("views", views(store).get(posts)));
    }

    private List<String> joined(String user) {
        return store.members(new Owner(Space.CONVERSATIONS, user)).stream()
                .map(Member::name)
                .toList();
    }

    private static List<String> without(String id, Collection<String> names) {
        return names.stream().map(name -> name.substring(id.length())).sorted().toList();
    }

    /** Makes each call, and lets each of its steps fail in turn. */
    public void run() {
        CALLS.forEach((name, call) -> {
            begin(name + "/");
            call.on(store, name + "/");
            Map<String, Object> finished = seen(name + "/");
            int failing = 0;
            while (isHalfDone(name, call, failing, finished)) {
                failing++;
            }
            assertThat(failing).as("steps of %s", name).isGreaterThan(1);
        });
    }

    /** Returns false if the call has fewer steps. */
    private boolean isHalfDone(String name, Step call, int failing, Map<String, Object> finished) {
        String id = name + "/" + failing;
        begin(id);
        Map<String, Object> before = seen(id);
        Throwable failure = catchThrowable(() -> call.on(failing(failing), id));
        if (failure == null) {
            return false;
        }
        if (failing == 0 || !seen(id).equals(before)) {
            assertThat(failure)
                    .as("%s, step %d failed", name, failing)
                    .isInstanceOf(failing == 0 ? StoreUnavailableException.class : OutcomeUnknownException.class);
        }
        assertThatCode(() -> call.on(store, id)).as("%s again", name).doesNotThrowAnyException();
        assertThat(seen(id)).as("%s again after step %d failed", name, failing).isEqualTo(finished);
        return true;
    }

    /** The store, but one step does nothing and fails. */
    private CounterStore failing(int step) {
        AtomicInteger steps = new AtomicInteger();
        return (CounterStore) Proxy.newProxyInstance(
                CounterStore.class.getClassLoader(), new Class<?>[] {CounterStore.class}, (self, method, arguments) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(self, method, arguments);
                    }
                    if (steps.getAndIncrement() == step) {
                        throw new StoreUnavailableException(method.getName(), new IllegalStateException("on purpose"));
                    }
                    return make(method, arguments);
                });
    }

    private Object make(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
