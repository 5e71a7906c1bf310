package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counters in Redis")
class CountersOnRedisTest {

    private final String prefix = TestInboxes.newPrefix();
    private final RedisCounterStore store = RedisCounterStore.builder(RedisServers.at(TestInboxes.uri()))
            .prefix(prefix)
            .resources(TestInboxes.resources())
            .build();

    @AfterEach
    void close() {
        store.close();
    }

    private static Add add(String user, long amount, String operation) {
        return new Add(new CellKey(new Owner(Space.TYPES, user), "like"), amount, Optional.of(operation));
    }

    @Test
    @DisplayName("of thousands of owners are added to at once, those of one owner in order")
    void many() {
        List<Add> adds = IntStream.range(0, 10_000)
                .mapToObj(i -> add("u" + i % 5_000, i, "o" + i % 5_000))
                .toList();
        List<Added> expected = IntStream.range(0, 10_000)
                .mapToObj(i -> i < 5_000 ? new Added(Outcome.ADDED, i) : new Added(Outcome.REPEATED, i - 5_000))
                .toList();
        assertThat(store.add(adds)).isEqualTo(expected);
        assertThat(store.cellsOf(adds.stream().map(Add::key).toList()))
                .extracting("count")
                .isEqualTo(expected.stream().map(Added::count).toList());
    }

    @Test
    @DisplayName("that are foreign are refused and left alone")
    void foreign() {
        String key = prefix + ":{73}:types:ann";
        commands().set(key, "mine");
        CellKey cell = new CellKey(new Owner(Space.TYPES, "ann"), "like");
        assertThatThrownBy(() -> store.add(List.of(new Add(cell, 1, Optional.empty()))))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasRootCauseInstanceOf(RedisCommandExecutionException.class);
        assertThatThrownBy(() -> store.cell(cell)).isInstanceOf(StoreUnavailableException.class);
        assertThat(commands().get(key)).isEqualTo("mine");
    }

    @Test
    @DisplayName("of all kinds are under names that the documentation gives")
    void keys() {
        for (Space space : Space.values()) {
            store.add(List.of(new Add(new CellKey(new Owner(space, "ann"), ""), 1, Optional.of("o"))));
        }
        assertThat(commands().keys(prefix + ":*"))
                .hasSize(2 * Space.values().length + 2)
                .allMatch(key -> key.matches(prefix + ":\\{(73}:([a-z]+(\\.once)?|types\\.added):ann|t0}:format)"));
    }

    @Test
    @DisplayName("take at most half the memory for a like that a set for each post takes, and none for a"
            + " ticket that was redeemed")
    void likes() {
        takeAtMost(0.5, 0);
    }

    @Test
    @DisplayName("take at most two thirds of that memory if posts keep their newest users")
    void newest() {
        takeAtMost(0.66, Reactions.DEFAULT_NEWEST_KEPT);
    }

    private void takeAtMost(double share, int newest) {
        Random random = new Random(7);
        List<Integer> posts = new ArrayList<>(IntStream.range(0, 100).boxed().toList());
        List<Reaction> reactions = new ArrayList<>();
        Map<String, List<String>> users = new HashMap<>();
        for (int user = 0; user < 400; user++) {
            String name = "user-%06d".formatted(user);
            Collections.shuffle(posts, random);
            for (int post : posts.subList(0, 50)) {
                String id = "post-%08d".formatted(post);
                reactions.add(new Reaction(name, id));
                users.computeIfAbsent(id, none -> new ArrayList<>()).add(name);
            }
        }
        String sets = TestInboxes.newPrefix();
        users.forEach((post, names) -> commands().sadd(sets + ":likes:" + post, names.toArray(String[]::new)));
        Reactions.of(store).keepingNewest(newest).add(reactions);
        assertThat(commands().keys(prefix + ":*.once:*")).isEmpty();
        long plain = memory(sets + ":likes:*");
        assertThat((double) memory(prefix + ":*:post-*") + memory(prefix + ":*:user-*"))
                .as("the bytes, beside %d in sets", plain)
                .isLessThanOrEqualTo(share * plain);
    }

    private static long memory(String keys) {
        return commands().keys(keys).stream()
                .mapToLong(key -> commands().memoryUsage(key))
                .sum();
    }

    @Test
    @DisplayName("that were closed answer nothing more")
    void closed() {
        store.close();
        store.close();
        assertThatThrownBy(() -> store.add(List.of(add("ann", 1, "o")))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.members(new Owner(Space.ANNOUNCEMENTS, "ann")))
                .isInstanceOf(StoreUnavailableException.class);
    }
}
