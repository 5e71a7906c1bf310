package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A cluster whose slots move")
@ParameterizedClass
@MethodSource("programs")
@Timeout(300)
@Tag("matrix")
class MovingSlotsTest {

    private static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MOVES = 12;

    private final RedisCluster cluster;
    private final String prefix = TestInboxes.newPrefix();
    private final RedisInboxes inboxes;
    private final Inbox inbox;

    MovingSlotsTest(RedisProgram program) {
        cluster = RedisCluster.shared(program);
        // Other prefixes share the slots.
        cluster.masters().forEach(master -> master.ask("FLUSHALL"));
        inboxes = inboxes(TIMEOUT);
        inbox = inboxes.inbox(LIMITS);
    }

    private RedisInboxes inboxes(Duration timeout) {
        return RedisInboxes.builder(RedisServers.at(cluster.uri()))
                .prefix(prefix)
                .timeout(timeout)
                .build();
    }

    static List<RedisProgram> programs() {
        return RedisProgram.all();
    }

    @AfterEach
    void close() {
        inboxes.close();
    }

    private int slotOf(String reader) {
        return cluster.slotOf(new String(new Keys(prefix).ofUser("inbox", reader), StandardCharsets.US_ASCII));
    }

    private RedisServer another(int slot) {
        RedisServer owner = cluster.owner(slot);
        return cluster.masters().stream()
                .filter(master -> master.port() != owner.port())
                .findFirst()
                .orElseThrow();
    }

    /** Some other readers of a reader's bucket. */
    private static List<String> besides(String reader, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "u" + i)
                .filter(id -> Keys.bucket(id) == Keys.bucket(reader))
                .limit(count)
                .toList();
    }

    @Test
    @DisplayName("is found again at every new master")
    void found() {
        live(inbox, "ann");
        int slot = slotOf("ann");
        for (int i = 1; i <= 4; i++) {
            cluster.move(slot, another(slot));
            assertThat(deliver(inbox, "ann", Post.of("bob", "p" + i, i))).isEqualTo(Outcome.ADDED);
        }
        assertThat(slice(inbox, "ann", true).posts()).hasSize(4);
    }

    @Test
    @DisplayName("answers every call of long batches, in their order, while slots move to and fro")
    void batches() throws Exception {
        List<String> readers = IntStream.range(0, 1000).mapToObj(i -> "r" + i).toList();
        List<String> alive = readers.subList(0, 500);
        alive.forEach(reader -> live(inbox, reader));
        List<Integer> slots =
                alive.stream().limit(MOVES).map(this::slotOf).distinct().toList();
        CompletableFuture<Void> moves =
                CompletableFuture.runAsync(() -> slots.forEach(slot -> cluster.move(slot, another(slot))));
        List<Post> posts = new ArrayList<>();
        List<Outcome> expected = readers.stream()
                .map(reader -> alive.contains(reader) ? Outcome.ADDED : Outcome.NOT_LIVE)
                .toList();
        while (!moves.isDone() || posts.size() < 10) {
            Post post = Post.of("bob", "p" + posts.size(), posts.size());
            posts.add(post);
            assertThat(inbox.deliver(List.of(new Delivery(post, readers, 0), new Delivery(post, alive, 0))))
                    .containsExactly(expected, Collections.nCopies(alive.size(), Outcome.PRESENT));
        }
        moves.get(30, TimeUnit.SECONDS);
        Collections.reverse(posts);
        List<Post> newest = posts.subList(0, Math.min(posts.size(), LIMITS.cap()));
        List<SliceQuery> queries = alive.stream()
                .map(reader -> new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, LIMITS.cap(), true))
                .toList();
        assertThat(inbox.slice(queries))
                .allSatisfy(slice -> assertThat(slice.posts()).isEqualTo(newest));
    }

    @Test
    @DisplayName("is waited for while some keys of a call are here and others there")
    void split() throws Exception {
        List<String> readers = new ArrayList<>(besides("ann", 20));
        readers.forEach(reader -> live(inbox, reader));
        int slot = slotOf(readers.get(0));
        RedisServer from = cluster.owner(slot);
        RedisServer to = another(slot);
        cluster.beginMove(slot, to);
        assertThat(cluster.moveSome(slot, to, 7)).isEqualTo(7);
        CompletableFuture<List<List<Outcome>>> outcomes = CompletableFuture.supplyAsync(
                () -> inbox.deliver(List.of(new Delivery(Post.of("bob", "1", 1), readers, 0))));
        assertThatThrownBy(() -> outcomes.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        cluster.moveSome(slot, to, 1000);
        cluster.endMove(slot, from, to);
        assertThat(outcomes.get(30, TimeUnit.SECONDS)).containsExactly(Collections.nCopies(20, Outcome.ADDED));
    }

    @Test
    @DisplayName("is waited for while two masters each say that the other has it")
    void disputed() throws Exception {
        int slot = slotOf("ann");
        RedisServer from = cluster.owner(slot);
        RedisServer to = another(slot);
        cluster.beginMove(slot, to);
        from.ask("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", to.ask("CLUSTER", "MYID"));
        CompletableFuture<Outcome> outcome =
                CompletableFuture.supplyAsync(() -> deliver(inbox, "ann", Post.of("bob", "1", 1)));
        if (isAnsweredSoon(outcome)) {
            // In Valkey 8, a master takes the slot that it imports once it hears that the other master does not claim
            // it.
            assertThat(to.ask("CLUSTER", "NODES")).doesNotContain("[" + slot + "-<-");
        }
        cluster.endMove(slot, from, to);
        assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.NOT_LIVE);
    }

    private static boolean isAnsweredSoon(CompletableFuture<Outcome> outcome) throws Exception {
        try {
            outcome.get(300, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    @Test
    @DisplayName("has done nothing if that takes too long")
    void splitForLong() {
        List<String> readers = besides("ann", 20);
        readers.forEach(reader -> live(inbox, reader));
        int slot = slotOf(readers.get(0));
        RedisServer from = cluster.owner(slot);
        RedisServer to = another(slot);
        cluster.beginMove(slot, to);
        cluster.moveSome(slot, to, 7);
        Delivery delivery = new Delivery(Post.of("bob", "1", 1), readers, 0);
        try (RedisInboxes hasty = inboxes(SHORT_TIMEOUT)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> hasty.inbox(LIMITS).deliver(List.of(delivery)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("TRYAGAIN");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(SHORT_TIMEOUT, SOON);
        }
        cluster.moveSome(slot, to, 1000);
        cluster.endMove(slot, from, to);
        assertThat(inbox.deliver(List.of(delivery))).containsExactly(Collections.nCopies(20, Outcome.ADDED));
    }
}
