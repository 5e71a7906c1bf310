package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Views;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.testservers.RedisServer;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind Redis")
@Timeout(120)
class WriteBehindTest {

    private static final Duration NEVER = Duration.ofDays(1);

    private final HikariDataSource pool = new HikariDataSource(config());
    private final String prefix = "b" + UUID.randomUUID().toString().substring(0, 8);
    private final RedisClient client = RedisClient.create(RedisServer.shared().uri());
    private final StatefulRedisConnection<String, byte[]> connection =
            client.connect(RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE));
    private final RedisCommands<String, byte[]> redis = connection.sync();
    private final List<WriteBehindCounterStore> stores = new ArrayList<>();
    private JdbcCounterStore sql;

    private static HikariConfig config() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return config;
    }

    @BeforeEach
    void createTables() {
        JdbcSchema.of(pool).create();
        sql = JdbcCounterStore.create(pool);
    }

    @AfterEach
    void close() {
        stores.forEach(WriteBehindCounterStore::close);
        connection.close();
        client.shutdown();
        sql.close();
        pool.close();
    }

    /** One that flushes when it is told to. */
    private WriteBehindCounterStore store(CounterSource source) {
        WriteBehindCounterStore store = WriteBehindCounterStore.builder(
                        RedisServers.at(RedisServer.shared().uri()), source)
                .prefix(prefix)
                .flushInterval(NEVER)
                .build();
        stores.add(store);
        return store;
    }

    /** The source, but something happens at its calls. */
    private CounterSource intercepted(InvocationHandler handler) {
        return (CounterSource) Proxy.newProxyInstance(
                CounterSource.class.getClassLoader(), new Class<?>[] {CounterSource.class}, handler);
    }

    private Object proceed(java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(sql, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Map<String, byte[]> kept() {
        Map<String, byte[]> kept = new HashMap<>();
        redis.keys(prefix + ":*").forEach(key -> kept.put(key, redis.dump(key)));
        return kept;
    }

    private void lose() {
        kept().keySet().forEach(redis::del);
    }

    private void restore(Map<String, byte[]> kept) {
        lose();
        kept.forEach((key, value) -> redis.restore(key, value, RestoreArgs.Builder.ttl(0)));
    }

    private long inSql(String id) {
        return Counters.of(sql).get("plays", id);
    }

    @Test
    @DisplayName("are read with what is late, which is in SQL after a flush")
    void late() {
        WriteBehindCounterStore store = store(sql);
        Counters counters = Counters.of(store);
        counters.add("plays", "song", 3);
        counters.add("plays", "song", -1);
        assertThat(counters.get("plays", "song")).isEqualTo(2);
        assertThat(inSql("song")).isZero();
        assertThat(store.flush()).isEqualTo(1);
        assertThat(counters.get("plays", "song")).isEqualTo(2);
        assertThat(inSql("song")).isEqualTo(2);
        counters.add("plays", "song", 5);
        counters.add("plays", "song", 10, "operation");
        assertThat(inSql("song")).isEqualTo(12);
        assertThat(counters.get("plays", "song")).isEqualTo(17);
        assertThat(store.flush()).isEqualTo(1);
        assertThat(store.flush()).isZero();
        assertThat(inSql("song")).isEqualTo(17);
    }

    @Test
    @DisplayName("lose what is late with Redis, and nothing else, and go on counting from there")
    void lost() {
        WriteBehindCounterStore store = store(sql);
        Counters counters = Counters.of(store);
        counters.add("plays", "song", 3);
        store.flush();
        counters.add("plays", "song", 100);
        lose();
        assertThat(counters.get("plays", "song")).isEqualTo(3);
        counters.add("plays", "song", 5);
        assertThat(counters.get("plays", "song")).isEqualTo(8);
        store.flush();
        lose();
        assertThat(counters.get("plays", "song")).isEqualTo(8);
    }

    @Test
    @DisplayName("count nothing twice after a failover to a replica that is behind, wherever it is")
    void failover() {
        WriteBehindCounterStore store = store(sql);
        Counters counters = Counters.of(store);
        List<Map<String, byte[]>> replicas = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            counters.add("plays", "song", 10);
            replicas.add(kept());
            store.flush();
            replicas.add(kept());
        }
        for (Map<String, byte[]> behind : replicas) {
            restore(behind);
            assertThat(counters.get("plays", "song")).isEqualTo(30);
            store.flush();
            assertThat(counters.get("plays", "song")).isEqualTo(30);
        }
        for (Map<String, byte[]> behind : replicas) {
            long before = counters.get("plays", "song");
            restore(behind);
            counters.add("plays", "song", 1);
            store.flush();
            assertThat(counters.get("plays", "song")).isBetween(before, before + 1);
            counters.add("plays", "song", 1);
            store.flush();
            assertThat(counters.get("plays", "song")).isBetween(before + 1, before + 2);
        }
    }

    @Test
    @DisplayName(
            "are written once if each call of a flush fails, before or after it was done, and the flush is repeated")
    void failures() {
        AtomicInteger calls = new AtomicInteger();
        int[] failing = {-1};
        boolean[] after = {false};
        CounterSource source = intercepted((proxy, method, arguments) -> {
            boolean fails = calls.getAndIncrement() == failing[0];
            if (fails && !after[0]) {
                throw new StoreUnavailableException("test", new IllegalStateException("before"));
            }
            Object answer = proceed(method, arguments);
            if (fails) {
                throw new StoreUnavailableException("test", new IllegalStateException("after"));
            }
            return answer;
        });
        WriteBehindCounterStore store = store(source);
        WriteBehindCounterStore other = store(sql);
        Counters counters = Counters.of(store);
        Views views = Views.of(store, Duration.ofHours(1), Clock.systemUTC());
        long expected = 0;
        int failed = 0;
        for (int call = 0; call < 8; call++) {
            for (boolean isAfter : new boolean[] {false, true}) {
                counters.add("plays", "song", 7);
                views.add("ann" + call + isAfter, "post");
                expected += 7;
                calls.set(0);
                failing[0] = call;
                after[0] = isAfter;
                try {
                    store.flush();
                } catch (StoreUnavailableException e) {
                    failed++;
                }
                failing[0] = -1;
                assertThat(counters.get("plays", "song")).isEqualTo(expected);
                if (call % 2 == 0) {
                    other.flush();
                }
                store.flush();
                assertThat(inSql("song")).isEqualTo(expected);
                assertThat(views.get(List.of("post"))).containsExactly(2L * call + (isAfter ? 2 : 1));
            }
        }
        assertThat(failed).isGreaterThanOrEqualTo(4);
    }

    @Test
    @DisplayName("that are forgotten in the middle of a flush stay forgotten")
    void forgottenMeanwhile() {
        for (String when : List.of("open", "write")) {
            Runnable[] meanwhile = {() -> {}};
            CounterSource source = intercepted((proxy, method, arguments) -> {
                Runnable now = meanwhile[0];
                if (method.getName().equals(when)) {
                    meanwhile[0] = () -> {};
                    now.run();
                }
                return proceed(method, arguments);
            });
            WriteBehindCounterStore store = store(source);
            UnreadCounter unread = UnreadCounter.of(store);
            // Who was never written, and the same user again.
            String user = "user-" + when;
            for (int times = 0; times < 2; times++) {
                unread.add(List.of(user), "like", 5);
                String operation = "o" + times;
                meanwhile[0] = () -> {
                    unread.forget(List.of(user));
                    unread.add(List.of(user), "like", 1, when + operation);
                    // Another flush has just looked at the row that was made anew.
                    sql.open(List.of(new CellKey(new Owner(Space.TYPES, user), "like")));
                };
                store.flush();
                assertThat(unread.get(user).total()).as(when).isEqualTo(1);
                store.flush();
                assertThat(unread.get(user).total()).as(when).isEqualTo(1);
                unread.add(List.of(user), "like", 2);
                store.flush();
                assertThat(unread.get(user).total()).as(when).isEqualTo(3);
                assertThat(UnreadCounter.of(sql).get(user).total()).as(when).isEqualTo(3);
            }
        }
    }

    @Test
    @DisplayName("that change in the middle of a flush stay late, and Redis may be emptied there")
    void changedMeanwhile() {
        Runnable[] meanwhile = {() -> {}};
        CounterSource source = intercepted((proxy, method, arguments) -> {
            Object answer = proceed(method, arguments);
            if (method.getName().equals("write")) {
                Runnable now = meanwhile[0];
                meanwhile[0] = () -> {};
                now.run();
            }
            return answer;
        });
        WriteBehindCounterStore store = store(source);
        Counters counters = Counters.of(store);
        counters.add("plays", "song", 1);
        meanwhile[0] = () -> counters.add("plays", "song", 10);
        assertThat(store.flush()).isZero();
        assertThat(counters.get("plays", "song")).isEqualTo(11);
        assertThat(store.flush()).isEqualTo(1);
        assertThat(inSql("song")).isEqualTo(11);
        counters.add("plays", "song", 1);
        meanwhile[0] = this::lose;
        store.flush();
        assertThat(counters.get("plays", "song")).isEqualTo(12);
    }

    @Test
    @DisplayName("keep what is late without an expiry, and give what is not one")
    void expiry() {
        WriteBehindCounterStore store = store(sql);
        Counters counters = Counters.of(store);
        counters.add("plays", "song", 1);
        counters.add("likes", "song", 1);
        assertThat(ttl()).isEqualTo(-1);
        store.flush();
        assertThat(ttl()).isBetween(1L, WriteBehindCounterStore.DEFAULT_IDLE_KEPT.toMillis());
        counters.add("likes", "song", 1);
        assertThat(ttl()).isEqualTo(-1);
    }

    private long ttl() {
        return redis.pttl(redis.keys(prefix + ":*late.counters:song").get(0));
    }

    @Test
    @DisplayName(
            "are exact while eight nodes add, mark and flush at once, and write no more rows than counters changed")
    void together() throws Exception {
        AtomicInteger rows = new AtomicInteger();
        CounterSource counting = intercepted((proxy, method, arguments) -> {
            if (method.getName().equals("write")) {
                rows.addAndGet(((Map<?, ?>) arguments[0]).size());
            }
            return proceed(method, arguments);
        });
        int nodes = 8;
        int rounds = 40;
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        List<Future<?>> running = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            WriteBehindCounterStore store = store(sql);
            String me = "u" + node;
            running.add(threads.submit(() -> {
                Counters counters = Counters.of(store);
                UnreadCounter unread = UnreadCounter.of(store);
                for (int i = 0; i < rounds; i++) {
                    counters.add("plays", "song", 1);
                    unread.add(List.of(me, "all"), "like", 2);
                    UnreadCounts shown = unread.get(me);
                    unread.add(List.of(me), "like", 1);
                    unread.markSeen(me, shown.counted());
                    unread.remove("all", "like", 1);
                    store.flush();
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        threads.shutdown();
        WriteBehindCounterStore last = store(counting);
        last.flush();
        assertThat(inSql("song")).isEqualTo((long) nodes * rounds);
        UnreadCounter unread = UnreadCounter.of(sql);
        assertThat(unread.get("all").total()).isEqualTo((long) nodes * rounds);
        for (int node = 0; node < nodes; node++) {
            assertThat(unread.get("u" + node).total()).isEqualTo(1);
        }
        rows.set(0);
        for (int i = 0; i < 1000; i++) {
            Counters.of(last).add("plays", "song" + i % 100, 1);
        }
        last.flush();
        assertThat(rows).hasValue(100);
        last.flush();
        assertThat(rows).hasValue(100);
    }

    @Test
    @DisplayName("are flushed again and again, whatever the source throws meanwhile")
    void undeclared() {
        AtomicInteger calls = new AtomicInteger();
        CounterSource source = intercepted((proxy, method, arguments) -> {
            if (method.getName().equals("open") && calls.incrementAndGet() <= 3) {
                throw calls.get() == 1 ? new AssertionError("an error") : new IllegalStateException("undeclared");
            }
            return proceed(method, arguments);
        });
        WriteBehindCounterStore store = WriteBehindCounterStore.builder(
                        RedisServers.at(RedisServer.shared().uri()), source)
                .prefix(prefix)
                .flushInterval(Duration.ofMillis(1))
                .build();
        stores.add(store);
        Counters.of(store).add("plays", "song", 1);
        await().until(() -> inSql("song") == 1);
    }

    @Test
    @DisplayName("leave nothing in Redis for ever when they are removed or forgotten")
    void removed() {
        WriteBehindCounterStore store = store(sql);
        Counters.of(store).add("plays", "song", 1);
        store.removeCells(List.of(new CellKey(new Owner(Space.COUNTERS, "song"), "plays")));
        assertThat(ttl()).isPositive();
        UnreadCounter.of(store).add(List.of("ann"), "like", 1);
        store.forget(List.of(new Owner(Space.TYPES, "ann")));
        assertThat(redis.keys(prefix + ":*late.types:ann")).allSatisfy(key -> {
            assertThat(redis.hkeys(key)).as("only the fence").containsExactly("@");
            assertThat(redis.pttl(key)).isPositive();
        });
        assertThat(redis.keys(prefix + ":*}:late")).isEmpty();
    }

    @Test
    @DisplayName("of one bucket are flushed by one call, however many they are")
    void manyOfOneBucket() {
        WriteBehindCounterStore store = store(sql);
        Owner owner = new Owner(Space.COUNTERS, "song");
        store.add(IntStream.range(0, 1234)
                .mapToObj(i -> new Add(new CellKey(owner, "type" + i), i + 1, Optional.empty()).writtenBehind())
                .toList());
        assertThat(store.flush()).isEqualTo(1234);
        assertThat(sql.cells(List.of(owner)).get(0)).hasSize(1234);
        assertThat(redis.keys(prefix + ":*}:late")).isEmpty();
    }

    @Test
    @DisplayName("that are marked while their user is forgotten swallow nothing that comes later")
    void seenWhileForgotten() {
        WriteBehindCounterStore others = store(sql);
        for (String during : List.of("read", "forget")) {
            String user = "user-" + during;
            Runnable[] meanwhile = {() -> {}};
            CounterSource source = intercepted((proxy, method, arguments) -> {
                Object answer = method.getName().equals("read") ? proceed(method, arguments) : null;
                if (method.getName().equals(during)) {
                    Runnable now = meanwhile[0];
                    meanwhile[0] = () -> {};
                    now.run();
                }
                return answer == null ? proceed(method, arguments) : answer;
            });
            WriteBehindCounterStore store = store(source);
            UnreadCounter unread = UnreadCounter.of(store);
            unread.add(List.of(user), "like", 1000);
            store.flush();
            if (during.equals("read")) {
                meanwhile[0] = () -> UnreadCounter.of(others).forget(List.of(user));
                unread.markAllSeen(user, "like");
            } else {
                meanwhile[0] = () -> {
                    UnreadCounter.of(others).markAllSeen(user, "like");
                    assertThatThrownBy(others::flush).isInstanceOf(StoreUnavailableException.class);
                };
                unread.forget(List.of(user));
            }
            others.flush();
            unread.add(List.of(user), "like", 1000);
            assertThat(unread.get(user).total()).as(during).isEqualTo(1000);
            store.flush();
            assertThat(UnreadCounter.of(sql).get(user).total()).as(during).isEqualTo(1000);
        }
    }

    @Test
    @DisplayName("that are marked while a forgetting fails, or its process ends, swallow nothing that comes later")
    void seenWhileForgettingFails() {
        WriteBehindCounterStore others = store(sql);
        UnreadCounter unread = UnreadCounter.of(others);
        for (boolean isGone : List.of(true, false)) {
            String user = "user-" + isGone;
            WriteBehindCounterStore store = store(intercepted((proxy, method, arguments) -> {
                if (method.getName().equals("forget")) {
                    unread.markAllSeen(user, "like");
                    if (isGone) {
                        proceed(method, arguments);
                    }
                    throw new OutcomeUnknownException("counters.forget", null);
                }
                return proceed(method, arguments);
            }));
            unread.add(List.of(user), "like", 1000);
            others.flush();
            assertThatThrownBy(() -> UnreadCounter.of(store).forget(List.of(user)))
                    .isInstanceOf(OutcomeUnknownException.class);
            unread.add(List.of(user), "like", 5);
            others.flush();
            long left = isGone ? 5 : 1005;
            assertThat(unread.get(user).total()).isEqualTo(left);
            assertThat(UnreadCounter.of(sql).get(user).total()).isEqualTo(left);
            unread.markAllSeen(user, "like");
            others.flush();
            assertThat(UnreadCounter.of(sql).get(user).total()).isZero();
        }
        unread.add(List.of("ann"), "like", 1000);
        others.flush();
        String held = redis.keys(prefix + ":*late.types:ann").get(0);
        redis.del(held);
        redis.hset(held, "@", "9999999999999 token".getBytes(StandardCharsets.US_ASCII));
        unread.markAllSeen("ann", "like");
        sql.forget(List.of(new Owner(Space.TYPES, "ann")));
        assertThatThrownBy(others::flush)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("ann");
        redis.hset(held, "@", "1 token".getBytes(StandardCharsets.US_ASCII));
        others.flush();
        unread.add(List.of("ann"), "like", 1000);
        others.flush();
        assertThat(unread.get("ann").total()).as("after the process has ended").isEqualTo(1000);
    }

    @Test
    @DisplayName("keep read positions of members only, and never beyond the last message")
    void positions() {
        WriteBehindCounterStore store = store(sql);
        Conversations talks = Conversations.of(store);
        talks.join("talk", "ann");
        talks.join("talk", "ben");
        for (int i = 0; i < 5; i++) {
            talks.add("talk", "ann");
        }
        talks.remove("talk", 4);
        talks.markSeen("talk", "ben", 2);
        assertThat(talks.get("ben", List.of("talk"))).containsExactly(2L);
        talks.markSeen("talk", "ben", 100);
        talks.markSeen("talk", "ben", 1);
        assertThat(talks.get("ben", List.of("talk"))).containsExactly(0L);
        assertThat(Conversations.of(sql).get("ben", List.of("talk"))).containsExactly(4L);
        talks.leave("talk", "ben");
        store.flush();
        assertThat(talks.get("ben", List.of("talk"))).containsExactly(0L);
        assertThatThrownBy(() -> talks.markAllSeen("talk", "ben")).isInstanceOf(NotAMemberException.class);
        assertThat(sql.cell(new CellKey(new Owner(Space.CONVERSATION, "talk"), "ben"))
                        .mark())
                .isEmpty();
    }
}
