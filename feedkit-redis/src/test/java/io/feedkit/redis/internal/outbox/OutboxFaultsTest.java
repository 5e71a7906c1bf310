package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The truth on a durable server, by the server's own clock")
@Timeout(300)
class OutboxFaultsTest {

    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final long LEASE = 600_000;

    private final RedisServer server = RedisServer.start(Durability.DURABLE);
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private final RedisLink link = link(proxy.port());
    private final RedisOutbox outbox = outbox(link);

    @AfterEach
    void close() {
        link.close();
        proxy.close();
        server.close();
    }

    private static RedisLink link(int port) {
        return RedisLink.open(Servers.of(RedisURI.create("127.0.0.1", port)), Optional.empty(), TIMEOUT);
    }

    private static RedisOutbox outbox(RedisLink link) {
        return new RedisOutbox(link, new Keys("feedkit"), new ScriptClock(Optional.empty()));
    }

    private List<Appended> append(int from, int count) {
        return outbox.append(IntStream.range(from, from + count)
                .mapToObj(n -> new Publication(Post.of("author-" + n % 30, "p" + n, n), FanoutMode.PUSH))
                .toList());
    }

    /**
     * Waits until the client has reconnected. A thread makes single calls over one connection, and many at once over
     * another.
     */
    private void recovered() {
        await().pollInSameThread()
                .ignoreExceptions()
                .until(() -> outbox.lastAppended(List.of("bob")).isEmpty());
        await().pollInSameThread()
                .ignoreExceptions()
                .until(() -> outbox.fanout().queueStatus().unfinished() >= 0);
    }

    @Test
    @DisplayName("posts whose answers were lost are there or not, each with its task, and can be published again")
    void lostAnswers() {
        append(0, 10);
        proxy.cutAfterReplyBytes(40);
        assertThatThrownBy(() -> append(10, 900)).isInstanceOf(OutcomeUnknownException.class);
        proxy.pass();
        recovered();
        long before = outbox.fanout().queueStatus().unfinished();
        assertThat(append(0, 910).stream()
                        .filter(answer -> answer.status() == Status.SAME)
                        .count())
                .isEqualTo(before)
                .isGreaterThanOrEqualTo(10);
        assertThat(outbox.fanout().claim(1000, LEASE))
                .hasSize(910)
                .extracting(claim -> claim.task().post())
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("what was answered for survives the death of the server, in every state")
    void killed() {
        append(0, 100);
        FanoutLog log = outbox.fanout();
        List<Claim> claims = log.claim(60, LEASE);
        log.finish(claims.subList(0, 20), LEASE);
        claims.subList(20, 30).forEach(claim -> log.moveToDeadLetters(claim, 1, "poison"));
        outbox.delete(List.of(Post.of("author-7", "p7", 7).key()));
        server.kill();
        await().untilAsserted(
                        () -> assertThatThrownBy(() -> append(100, 1)).isInstanceOf(StoreUnavailableException.class));
        server.restart();
        recovered();
        assertThat(log.queueStatus().unfinished()).isEqualTo(71);
        assertThat(log.queueStatus().dead()).isEqualTo(10);
        assertThat(log.finish(claims.subList(30, 60), LEASE)).containsOnly(true);
        assertThat(log.claim(100, LEASE)).hasSize(41);
        assertThat(log.restart(0, 0)).hasValue(50);
        assertThat(RegisterSnapshot.of(outbox.pulled()).retracting()).hasSize(1);
        assertThat(append(0, 100)).extracting(Appended::status).containsOnly(Status.SAME, Status.DELETED);
    }

    @Test
    @DisplayName(
            "a server that is full takes no post and gives out no task, is read as before, and lets tasks be finished")
    void full() {
        append(0, 100);
        outbox.pulled().put(List.of(Post.of("author-1", "p1", 1)));
        Position position = new Position(1, "p1", "bob");
        List<Claim> claims = new ArrayList<>(outbox.fanout().claim(50, LEASE));
        outbox.fanout().catchUp("bob", new Entry(position, position, 1));
        claims.addAll(outbox.fanout().claim(51, LEASE));
        assertThat(claims).hasSize(101);
        append(100, 40);
        long mark = outbox.settledMark();
        configure("maxmemory", "1");
        assertThatThrownBy(() -> append(140, 40)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(
                        () -> outbox.delete(List.of(Post.of("author-1", "p1", 1).key())))
                .isInstanceOf(StoreUnavailableException.class);
        for (int i = 0; i < 100; i++) { // many partitions refuse: however late their answers come, none is guessed
            assertThatThrownBy(() -> outbox.fanout().claim(40, LEASE)).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(RegisterSnapshot.of(outbox.pulled()).pulled()).containsOnlyKeys("author-1");
        assertThat(outbox.newest(List.of("author-1", "author-2"), PositionRange.ALL, 2))
                .containsExactly(
                        List.of(Post.of("author-1", "p121", 121), Post.of("author-1", "p91", 91)),
                        List.of(Post.of("author-2", "p122", 122), Post.of("author-2", "p92", 92)));
        assertThat(outbox.settledMark()).isLessThanOrEqualTo(mark);
        assertThat(outbox.fanout().finish(claims, LEASE)).containsOnly(true);
        configure("maxmemory", "0");
        assertThat(append(140, 40)).extracting(Appended::status).containsOnly(Status.NEW);
        assertThat(outbox.fanout().claim(100, LEASE)).hasSize(80);
    }

    private void configure(String setting, String value) {
        try (RedisClient client = RedisClient.create(server.uri())) {
            client.connect().sync().configSet(setting, value);
        }
    }

    @Test
    @DisplayName("a server that forgets its scripts is told them again")
    void forgottenScripts() {
        append(0, 10);
        flushScripts();
        append(10, 500);
        flushScripts();
        List<Claim> claims = outbox.fanout().claim(1000, LEASE);
        assertThat(claims).hasSize(510);
        flushScripts();
        assertThat(outbox.fanout().finish(claims, LEASE)).hasSize(510).containsOnly(true);
    }

    private void flushScripts() {
        try (RedisClient client = RedisClient.create(server.uri())) {
            client.connect().sync().scriptFlush();
        }
    }

    @Test
    @DisplayName("leases end by the server's clock, and times are its own")
    void serversClock() {
        long before = System.currentTimeMillis();
        append(0, 1);
        Claim claim = outbox.fanout().claim(1, 200).get(0);
        assertThat(claim.task().created()).isBetween(before, System.currentTimeMillis());
        assertThat(outbox.fanout().claim(1, LEASE)).isEmpty();
        await().until(() -> !outbox.fanout().claim(1, LEASE).isEmpty());
        assertThat(System.currentTimeMillis() - before).isGreaterThanOrEqualTo(200);
        assertThat(outbox.fanout().finish(List.of(claim), LEASE)).containsExactly(false);
    }
}
