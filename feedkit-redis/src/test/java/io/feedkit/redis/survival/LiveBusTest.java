package io.feedkit.redis.survival;

import static org.awaitility.Awaitility.await;

import io.feedkit.redis.RedisLiveBus;
import io.feedkit.redis.RedisServers;
import io.feedkit.testkit.internal.bus.LiveTraffic;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("survival")
@Timeout(120)
@DisplayName("Live feeds whose bus on Redis")
class LiveBusTest {

    /** Longer than engines wait before they think that the bus is silent. */
    private static final Duration OUTAGE = Duration.ofSeconds(5);

    private static final Duration CALM = Duration.ofSeconds(1);

    /** How long after the last post all posts must have arrived. */
    private static final Duration CATCH_UP = Duration.ofSeconds(8);

    private static final Duration FAILOVER = Duration.ofMinutes(1);

    private static RedisLiveBus bus(String uri) {
        return RedisLiveBus.builder(RedisServers.at(uri))
                .timeout(Duration.ofSeconds(1))
                .build();
    }

    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Returns when messages of one bus arrive at the other one. */
    private static void awaitConnected(RedisLiveBus from, RedisLiveBus to) {
        List<String> received = new CopyOnWriteArrayList<>();
        to.listen(received::add);
        await().atMost(FAILOVER).ignoreExceptions().until(() -> {
            from.send("are you there");
            return received.contains("are you there");
        });
    }

    private static void survives(String uri, Runnable outage) {
        try (RedisLiveBus here = bus(uri);
                RedisLiveBus there = bus(uri);
                LiveTraffic traffic = LiveTraffic.start(here, there)) {
            pause(CALM);
            outage.run();
            awaitConnected(here, there);
            awaitConnected(there, here);
            pause(CALM);
            traffic.finish(CATCH_UP);
        }
    }

    @Test
    @DisplayName("is killed and restarted get every post once, and use the bus again")
    void killed() {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            survives(server.uri(), () -> {
                server.kill();
                pause(OUTAGE);
                server.restart();
            });
        }
    }

    @Test
    @DisplayName("is paused get every post once, and use the bus again")
    void paused() {
        try (RedisServer server = RedisServer.start(Durability.FAST)) {
            survives(server.uri(), () -> {
                server.freeze();
                pause(OUTAGE);
                server.thaw();
            });
        }
    }

    @ParameterizedTest
    @MethodSource("io.feedkit.redis.survival.Replicated$Kind#all")
    @DisplayName("loses the master with the channel get every post once, and follow the failover")
    void failover(Replicated.Kind kind) {
        try (Replicated servers = kind.start().get()) {
            survives(servers.uri(), () -> servers.liveBus().get().kill());
        }
    }
}
