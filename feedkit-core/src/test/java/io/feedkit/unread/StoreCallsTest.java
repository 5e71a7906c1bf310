package io.feedkit.unread;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.InterceptedCounterStore;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.counter.Views;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Calls to the store")
class StoreCallsTest {

    private static final Pattern ROW = Pattern.compile("\\| `(\\w+\\.\\w+)` \\| (\\d+) \\|.*");

    private final CounterStore memory = InMemoryCounterStore.create();
    private final AtomicReference<Integer> calls = new AtomicReference<>(0);
    private final CounterStore store = InterceptedCounterStore.of(memory, (method, call) -> {
        calls.getAndUpdate(count -> count + 1);
        return call.make();
    });

    private final UnreadCounter unread = UnreadCounter.of(store);
    private final Conversations conversations = Conversations.of(store);
    private final Announcements announcements = Announcements.of(store);
    private final RedDots dots = RedDots.of(store);
    private final Counters counters = Counters.of(store);
    private final Reactions likes = Reactions.of(store);
    private final ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
    private final Views views = Views.of(store, Duration.ofHours(1), Clock.systemUTC());

    private int calls(Runnable call) {
        calls.set(0);
        call.run();
        return calls.get();
    }

    /** Each finds what the ones before it did. */
    private Map<String, Runnable> costs() {
        List<String> users = IntStream.range(0, 100).mapToObj(i -> "user-" + i).toList();
        List<Reaction> reactions = IntStream.range(0, 500)
                .mapToObj(i -> new Reaction("u" + i, "p" + i % 9))
                .toList();
        Map<String, Runnable> costs = new LinkedHashMap<>();
        costs.put("UnreadCounter.add", () -> unread.add(users, "like", 2, "o"));
        costs.put("UnreadCounter.remove", () -> unread.remove("user-1", "like", 1));
        costs.put("UnreadCounter.get", () -> unread.get(users));
        costs.put(
                "UnreadCounter.markSeen",
                () -> unread.markSeen(
                        "user-1", UnreadCounter.of(memory).get("user-1").counted()));
        costs.put("Conversations.join", () -> conversations.join("talk", "ann"));
        costs.put("Conversations.add", () -> conversations.add("talk", "ann"));
        costs.put("Conversations.last", () -> conversations.last("talk"));
        costs.put("Conversations.markSeen", () -> conversations.markSeen("talk", "ann", 1));
        costs.put("Conversations.remove", () -> conversations.remove("talk", 1));
        costs.put("Conversations.get", () -> conversations.get("ann", List.of("talk", "other")));
        costs.put("Conversations.forget", () -> conversations.forget("ann"));
        costs.put("Conversations.leave", () -> conversations.leave("talk", "ann"));
        costs.put("Announcements.add", () -> announcements.add("a", "*"));
        costs.put("Announcements.remove", () -> announcements.remove("a"));
        costs.put("Announcements.enter", () -> announcements.enter("ann"));
        costs.put("Announcements.markAllSeen", () -> announcements.markAllSeen("ann"));
        costs.put("Announcements.get", () -> announcements.get("ann", Set.of("s")));
        costs.put("RedDots.add", () -> dots.add("d", users));
        costs.put("RedDots.remove", () -> dots.remove("d"));
        costs.put("RedDots.markSeen", () -> dots.markSeen("ann", "d"));
        costs.put("RedDots.get", () -> dots.get("ann", List.of("d", "e")));
        costs.put(
                "Badges.get",
                () -> Badges.of(store).get("ann", List.of("talk", "other"), List.of("s"), List.of("d", "e")));
        costs.put("Counters.add", () -> counters.add("t", "p", 1));
        costs.put("Counters.get", () -> counters.get("t", List.of("p", "q")));
        costs.put("Counters.load", () -> counters.load("t", Map.of("p", 1L, "q", 2L)));
        costs.put("Counters.getOrLoad", () -> counters.getOrLoad("t", List.of("p", "q"), ids -> Map.of()));
        costs.put("Reactions.add", () -> likes.add(reactions));
        costs.put("Reactions.get", () -> likes.get(List.of("p1", "p2")));
        costs.put("Reactions.reacted", () -> likes.reacted("u1", List.of("p1", "p2")));
        costs.put("Reactions.posts", () -> likes.posts("u1", 20));
        costs.put("Reactions.newest", () -> likes.newest("p1", 20));
        costs.put("ExclusiveReactions.choose", () -> votes.choose("ann", "p1", "up"));
        costs.put("ExclusiveReactions.get", () -> votes.get(List.of("p1", "p2")));
        costs.put("ExclusiveReactions.chosen", () -> votes.chosen("ann", List.of("p1", "p2")));
        costs.put("Reactions.remove", () -> likes.remove(reactions));
        costs.put("Reactions.forgetPost", () -> likes.forgetPost("p1"));
        costs.put("Views.add", () -> views.add("ann", "p"));
        costs.put("Views.get", () -> views.get(List.of("p", "q")));
        return costs;
    }

    @Test
    @DisplayName("are as many as the reference says")
    void reference() throws IOException {
        Map<String, Integer> documented = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "reference", "counter-calls.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                documented.put(row.group(1), Integer.valueOf(row.group(2)));
            }
        }
        Map<String, Integer> counted = new LinkedHashMap<>();
        costs().forEach((name, call) -> counted.put(name, calls(call)));
        assertThat(documented).containsExactlyInAnyOrderEntriesOf(counted);
    }

    @Test
    @DisplayName("are fewer where nothing is to do, and more where others are in the way")
    void otherwise() {
        assertThat(calls(() -> conversations.forget("ann"))).isOne();
        Conversations.of(memory).join("talk", "ann");
        CounterStore joining = InterceptedCounterStore.after(
                store, "removeCells", () -> Conversations.of(memory).join("talk", "ann"));
        assertThat(calls(() -> Conversations.of(joining).leave("talk", "ann"))).isEqualTo(4);
        assertThat(calls(() -> counters.getOrLoad("t", List.of("p"), ids -> Map.of())))
                .isEqualTo(4);
        announcements.enter("ann");
        announcements.add("a", "*");
        assertThat(calls(() -> announcements.get("ann", Set.of()))).isEqualTo(2);
        assertThat(calls(() -> Badges.of(store).get("ann", List.of(), List.of(), List.of())))
                .isEqualTo(2);
        assertThat(calls(() -> likes.remove("ann", "p"))).isOne();
        likes.add("ann", "p");
        assertThat(calls(() -> likes.add("ann", "p"))).isOne();
        views.add("ann", "p");
        assertThat(calls(() -> views.add("ann", "p"))).isEqualTo(2);
    }
}
