package io.feedkit.redis.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.counter.RedisCounters.FirstChange;
import io.feedkit.redis.internal.counter.RedisCounters.WrongCount;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A recount of reactions")
class ReactionRecountTest {

    private static final Owner POST = new Owner(Space.POSTS, "p");
    private static final CellKey LIKES = new CellKey(POST, "+like/0");
    private static final String INCARNATION = "+like/";
    private static final long TOKEN = 7;

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisLink link =
            RedisLink.open(Servers.of(RedisServer.shared().uri()), Optional.empty(), Duration.ofSeconds(20));
    private final RedisCounters counters = new RedisCounters(
            link,
            new Keys("r" + UUID.randomUUID().toString().substring(0, 8)),
            new ScriptClock(Optional.of(clock)),
            Duration.ofHours(24),
            Duration.ofDays(30));
    private final Reactions likes = Reactions.of(counters);

    @AfterEach
    void close() {
        link.close();
    }

    private Map<CellKey, Long> watch() {
        return counters.watch(Map.of(POST, List.of(LIKES.name(), INCARNATION)), TOKEN);
    }

    private Optional<List<FirstChange>> changes() {
        return counters.firstChanges(List.of(POST), TOKEN).get(0);
    }

    private boolean repair(long difference) {
        return counters.repair(List.of(new WrongCount(LIKES, 0, difference, INCARNATION, 0)), TOKEN)
                .get(0);
    }

    private long count() {
        return likes.get(List.of("p")).get(0);
    }

    @Test
    @DisplayName("knows who was counted first since it began, and repairs by the difference")
    void watched() {
        likes.add("ann", "p");
        likes.add("ben", "p");
        assertThat(watch()).containsEntry(LIKES, 2L).containsEntry(new CellKey(POST, INCARNATION), 0L);
        likes.add("cid", "p");
        likes.remove("cid", "p");
        likes.remove("ann", "p");
        likes.add("ann", "p");
        likes.add("ann", "q");
        likes.add("ben", "p");
        assertThat(changes().orElseThrow())
                .containsExactlyInAnyOrder(new FirstChange(LIKES, "cid", true), new FirstChange(LIKES, "ann", false));
        assertThat(repair(5)).isTrue();
        assertThat(repair(-6)).isTrue();
        assertThat(count()).isEqualTo(1);
        counters.unwatch(List.of(POST), TOKEN);
        assertThat(changes()).isEmpty();
        assertThat(repair(1)).isFalse();
    }

    @Test
    @DisplayName("repairs nothing when another one began, the post was forgotten, or it took too long")
    void ended() {
        watch();
        counters.watch(Map.of(POST, List.of(LIKES.name())), TOKEN + 1);
        assertThat(changes()).isEmpty();
        assertThat(repair(1)).isFalse();
        watch();
        likes.forgetPost("p");
        assertThat(repair(1)).isFalse();
        watch();
        likes.add("ann", "p");
        assertThat(changes()).isPresent();
        clock.advance(Duration.ofHours(1));
        likes.add("ben", "p");
        assertThat(changes()).isEmpty();
        assertThat(repair(1)).isFalse();
        assertThat(count()).isEqualTo(2);
    }

    @Test
    @DisplayName("repairs nothing of a post if users are counted whose names are not listed")
    void unlisted() {
        watch();
        likes.keepingNewest(0).add("ann", "p");
        assertThat(changes()).isEmpty();
        assertThat(repair(1)).isFalse();
    }

    @Test
    @DisplayName("goes through many users in parts, so that it need not remember them all")
    void parts() {
        ExclusiveReactions votes = ExclusiveReactions.of(counters, "vote");
        for (int i = 0; i < 30; i++) {
            likes.add("user-" + i, "p");
            votes.choose("user-" + i, "q", i < 20 ? "up" : "down");
        }
        assertThat(counters.recountReactions(10, 7)).isEmpty();
        CellKey downs = new CellKey(new Owner(Space.POSTS, "q"), "+vote/0/down");
        counters.add(List.of(new Add(LIKES, 4, Optional.empty()), new Add(downs, -3, Optional.empty())));
        assertThat(counters.recountReactions(10, 7))
                .containsExactly(new Repair("like", "", "p", 34, 30), new Repair("vote", "down", "q", 7, 10));
        assertThat(counters.recountReactions(10, 7)).isEmpty();
    }
}
