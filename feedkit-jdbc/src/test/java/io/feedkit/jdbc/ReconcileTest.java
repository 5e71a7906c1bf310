package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.counter.Views;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("Counts of reactions")
class ReconcileTest {

    private final TestDatabase database;
    private final JdbcCounterStore store;
    private final Reactions likes;
    private final Reactions claps;

    ReconcileTest(Kind kind) {
        database = TestDatabase.lent(kind);
        store = JdbcCounterStore.builder(database.dataSource())
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
        likes = Reactions.of(store);
        claps = Reactions.of(store, "clap_2");
    }

    @AfterEach
    void closeDatabase() {
        store.close();
        database.close();
    }

    private static CellKey count(String post, String name) {
        return new CellKey(new Owner(Space.POSTS, post), name);
    }

    private void add(CellKey count, long amount) {
        store.add(List.of(new Add(count, amount, Optional.empty())));
    }

    @Test
    @DisplayName("are recounted by who reacted, also for posts without reactions, and the wrong counts are returned")
    void repaired() {
        List.of("ann", "ben", "cid").forEach(user -> {
            likes.add(user, "p");
            claps.add(user, "p/q");
        });
        likes.remove("cid", "p");
        likes.add("ann", "forgotten");
        likes.forgetPost("forgotten");
        likes.add("ben", "forgotten");
        Views.of(store, Duration.ofHours(1), database.clock()).add("ann", "p");
        assertThat(store.reconcile(10)).isEmpty();
        add(count("p", "+like/0"), 5);
        add(count("p/q", "+clap_2/0"), -3);
        add(count("forgotten", "+like/1"), -1);
        add(count("nobody", "+like/0"), 7);
        assertThat(store.wrongCounts(10))
                .as("found, and not repaired")
                .hasSize(4)
                .contains(new Repair("like", "", "nobody", 7, 0));
        assertThat(store.reconcile(3))
                .containsExactly(
                        new Repair("like", "", "forgotten", 0, 1),
                        new Repair("like", "", "nobody", 7, 0),
                        new Repair("like", "", "p", 7, 2));
        assertThat(store.reconcile(3)).containsExactly(new Repair("clap_2", "", "p/q", 0, 3));
        assertThat(store.reconcile(3)).isEmpty();
        assertThat(likes.get(List.of("p", "forgotten", "nobody"))).containsExactly(2L, 1L, 0L);
        assertThat(claps.get(List.of("p/q"))).containsExactly(3L);
        assertThat(store.wrongCounts(10)).isEmpty();
        assertThatThrownBy(() -> store.wrongCounts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.reconcile(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("of calls that failed half-way are not repaired, and are right when the calls are finished")
    void halfDone() {
        likes.add("ben", "p");
        Owner post = new Owner(Space.POSTS, "p");
        Owner ann = new Owner(Space.REACTIONS, "ann");
        long ticket = store.openTickets(List.of(post)).get(0);
        store.turn(List.of(new Turn(ann, "like/p", Optional.empty(), "0+", ticket)));
        assertThat(store.reconcile(10)).isEmpty();
        store.redeem(List.of(new Redemption(count("p", "+like/0"), ticket, 1)));
        assertThat(store.reconcile(10)).isEmpty();
        likes.add("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(2L);
        ticket = store.openTickets(List.of(post)).get(0);
        store.turn(List.of(new Turn(ann, "like/p", Optional.of("0+"), "0-", ticket)));
        assertThat(store.reconcile(10)).isEmpty();
        store.redeem(List.of(new Redemption(count("p", "+like/0"), ticket, -1)));
        assertThat(store.reconcile(10)).isEmpty();
        likes.remove("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
        assertThat(store.reconcile(10)).isEmpty();
    }

    @Test
    @DisplayName("with choices are recounted for each choice, also while a choice is being changed")
    void choices() {
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        votes.choose("ann", "p", "up");
        votes.choose("ben", "p", "up");
        votes.choose("cid", "p", "down");
        votes.choose("ann", "old", "up");
        votes.forgetPost("old");
        assertThat(store.reconcile(10)).isEmpty();
        Owner post = new Owner(Space.POSTS, "p");
        Owner ann = new Owner(Space.REACTIONS, "ann");
        long ticket = store.openTickets(List.of(post)).get(0);
        store.turn(List.of(new Turn(ann, "vote/p", Optional.of("0+up"), "0+down<up", ticket)));
        assertThat(store.reconcile(10)).isEmpty();
        add(count("p", "+vote/0/down"), 3);
        add(count("p", "+vote/0/never"), 1);
        assertThat(store.reconcile(10))
                .containsExactly(new Repair("vote", "down", "p", 4, 1), new Repair("vote", "never", "p", 1, 0));
        votes.choose("ann", "p", "down");
        assertThat(votes.get(List.of("p")).get(0)).containsEntry("up", 1L).containsEntry("down", 2L);
        assertThat(store.reconcile(10)).isEmpty();
    }
}
