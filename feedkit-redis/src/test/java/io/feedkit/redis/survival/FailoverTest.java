package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("survival")
@DisplayName("A master that is killed during deliveries")
class FailoverTest {

    private static final InboxLimits LIMITS = new InboxLimits(100_000, 3_600_000);
    private static final int READERS = 12;
    private static final int BEFORE = 200;
    private static final int AFTERWARDS = 50;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);
    /**
     * An election fails if a busy master does not vote in time, and is held again after four times the node time-out.
     */
    private static final Duration FAILOVER = Duration.ofMinutes(2);

    /** How far a replica may have been behind. On one machine, however busy, it is much less. */
    private static final long JUST_BEFORE = TimeUnit.SECONDS.toNanos(1);

    @ParameterizedTest
    @MethodSource("io.feedkit.redis.survival.Replicated$Kind#someOfAll")
    @Timeout(300)
    @DisplayName("loses at most what was acknowledged just before, and what is delivered again is there once")
    void killed(Replicated.Kind kind) throws Exception {
        try (Replicated servers = kind.start().get();
                RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(servers.uri()))
                        .timeout(TIMEOUT)
                        .build()) {
            Inbox inbox = inboxes.inbox(LIMITS);
            List<RepeatedDelivery> deliveries = deliveries(inbox);
            ExecutorService threads = Executors.newFixedThreadPool(READERS);
            List<CompletableFuture<Void>> work = deliveries.stream()
                    .map(delivery -> CompletableFuture.runAsync(delivery, threads))
                    .toList();
            try {
                awaitMore(deliveries, work, BEFORE);
                long killed = System.nanoTime();
                servers.victim().kill();
                awaitMore(deliveries, work, AFTERWARDS);
                deliveries.forEach(RepeatedDelivery::stop);
                for (CompletableFuture<Void> each : work) {
                    each.get(FAILOVER.toSeconds(), TimeUnit.SECONDS);
                }
                assertTyped(deliveries);
                assertLittleLost(kind, inbox, deliveries, killed);
                // The new master had never seen a script.
                assertThat(servers.heir().ask("INFO", "commandstats")).contains("cmdstat_eval:");
            } finally {
                deliveries.forEach(RepeatedDelivery::stop);
                threads.shutdownNow();
            }
        }
    }

    private static List<RepeatedDelivery> deliveries(Inbox inbox) {
        List<RepeatedDelivery> deliveries = IntStream.range(0, READERS)
                .mapToObj(i -> new RepeatedDelivery(inbox, "reader" + i))
                .toList();
        deliveries.forEach(delivery -> {
            long generation = inbox.open(delivery.reader(), 60_000, false).generation();
            assertThat(inbox.complete(delivery.reader(), generation, 1, 0)).isTrue();
        });
        return deliveries;
    }

    /** Waits until each delivery has delivered some more of its posts. */
    private static void awaitMore(List<RepeatedDelivery> deliveries, List<CompletableFuture<Void>> work, int posts) {
        List<Integer> before = deliveries.stream()
                .map(delivery -> delivery.acknowledged().size())
                .toList();
        await().atMost(FAILOVER)
                .failFast(
                        "a delivery has failed",
                        () -> work.stream().filter(CompletableFuture::isDone).forEach(each -> each.getNow(null)))
                .until(() -> IntStream.range(0, READERS)
                        .allMatch(i -> deliveries.get(i).acknowledged().size() >= before.get(i) + posts));
    }

    private static void assertTyped(List<RepeatedDelivery> deliveries) {
        assertThat(deliveries).allSatisfy(delivery -> {
            assertThat(delivery.failures())
                    .allMatch(failure ->
                            failure instanceof StoreUnavailableException || failure instanceof OutcomeUnknownException);
            assertThat(Duration.ofNanos(delivery.longestNanos())).isLessThan(LONGEST_CALL);
        });
        assertThat(deliveries)
                .anySatisfy(delivery -> assertThat(delivery.failures()).isNotEmpty());
    }

    private static void assertLittleLost(
            Replicated.Kind kind, Inbox inbox, List<RepeatedDelivery> deliveries, long killed) {
        int delivered = 0;
        int lost = 0;
        long outage = 0;
        for (RepeatedDelivery delivery : deliveries) {
            Set<Post> present = posts(inbox, delivery.reader());
            Map<Post, Long> acknowledged = delivery.acknowledged();
            List<Long> missing = new ArrayList<>();
            acknowledged.forEach((post, at) -> {
                if (!present.contains(post)) {
                    missing.add(at);
                }
            });
            assertThat(missing).allMatch(at -> at > killed - JUST_BEFORE && at < killed + JUST_BEFORE);
            delivered += acknowledged.size();
            lost += missing.size();
            outage = Math.max(
                    outage,
                    acknowledged.values().stream()
                            .filter(at -> at > killed)
                            .mapToLong(at -> at - killed)
                            .min()
                            .orElseThrow());
            Delivery[] again = acknowledged.keySet().stream()
                    .map(post -> new Delivery(post, List.of(delivery.reader()), 0))
                    .toArray(Delivery[]::new);
            // On the connection for batches, which no call has used since.
            long healed = await().ignoreExceptions().until(() -> inbox.deliver(List.of(again)), all -> true).stream()
                    .filter(outcome -> outcome.equals(List.of(Outcome.ADDED)))
                    .count();
            assertThat(healed).isEqualTo(missing.size());
            assertThat(posts(inbox, delivery.reader())).doesNotHaveDuplicates().containsAll(acknowledged.keySet());
        }
        System.out.printf(
                "%s: %d deliveries acknowledged, %d of them lost and healed, no answer for %d ms, %d failures%n",
                kind,
                delivered,
                lost,
                TimeUnit.NANOSECONDS.toMillis(outage),
                deliveries.stream()
                        .mapToInt(delivery -> delivery.failures().size())
                        .sum());
    }

    private static Set<Post> posts(Inbox inbox, String reader) {
        SliceQuery all = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, LIMITS.cap(), false);
        List<Post> posts = inbox.slice(List.of(all)).get(0).posts();
        assertThat(new HashSet<>(posts)).hasSameSizeAs(posts);
        return new HashSet<>(posts);
    }
}
