package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.StoreUnavailableException;
import io.feedkit.live.LiveBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base of the chapters of the bus kit. Engines survive a bus that loses, repeats or reorders messages, so the
 * contract allows that. While its servers work, a bus must not do it: each such message makes all connected readers
 * read their feeds. So the rules expect every message once, in its sender's order.
 */
abstract class BusRules {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long HELLO_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    final BusKit kit;

    LiveBus bus;
    LiveBus another;

    private final List<Ear> ears = new ArrayList<>();
    private int hellos;

    BusRules(BusKit kit) {
        this.kit = kit;
    }

    @BeforeEach
    void openBuses() {
        bus = kit.bus();
        another = kit.anotherBus();
    }

    @AfterEach
    void closeEars() {
        ears.forEach(Ear::close);
    }

    /** Different texts, which also differ from those with another beginning. */
    static List<String> texts(String beginning, int count) {
        return IntStream.range(0, count).mapToObj(i -> beginning + " " + i).toList();
    }

    static void send(LiveBus to, List<String> texts) {
        texts.forEach(to::send);
    }

    /** A listener, which may not be connected yet. */
    final Ear ear(LiveBus on) {
        Ear ear = new Ear(on);
        ears.add(ear);
        return ear;
    }

    /** Returns when all listeners receive the messages of both buses. */
    final void connect(Ear... listeners) {
        connect(List.of(bus, another), listeners);
    }

    /** Returns when all listeners receive the messages of some buses. */
    final void connect(List<LiveBus> senders, Ear... listeners) {
        for (LiveBus sender : senders) {
            connect(sender, listeners);
        }
    }

    private void connect(LiveBus sender, Ear... listeners) {
        String mark = Integer.toString(++hellos);
        long[] sent = {System.nanoTime() - HELLO_NANOS};
        eventually("listeners are connected", () -> {
            if (System.nanoTime() - sent[0] >= HELLO_NANOS) {
                sendIfReachable(sender, Ear.hello(mark));
                sent[0] = System.nanoTime();
            }
            return Arrays.stream(listeners).allMatch(ear -> ear.hasHello(mark));
        });
    }

    private static void sendIfReachable(LiveBus sender, String message) {
        try {
            sender.send(message);
        } catch (StoreUnavailableException e) {
            // It is sent again.
        }
    }

    /** Waits until a listener has some messages, and checks that they are all that it has, in this order. */
    final void awaitExactly(Ear ear, List<String> texts) {
        awaitCount(ear, texts.size());
        quiet();
        assertThat(ear.messages()).as("messages received").isEqualTo(texts);
    }

    /** Waits until a listener has as many messages, or fails with those that it has. */
    final void awaitCount(Ear ear, int count) {
        long begin = System.nanoTime();
        while (ear.count() < count
                && System.nanoTime() - begin < kit.longestWait().toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        assertThat(ear.messages()).as("messages received").hasSizeGreaterThanOrEqualTo(count);
    }

    /** Waits until a condition holds, and fails if it does not hold in time. */
    final void eventually(String what, BooleanSupplier condition) {
        within(kit.longestWait(), what, condition);
    }

    static void within(Duration longest, String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .as("the wait until %s", what)
                    .isLessThan(longest);
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Waits for a while in which nothing should happen. */
    final void quiet() {
        pause(kit.quietTime());
    }

    static void pause(Duration duration) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < duration.toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Fails if a call takes longer than the kit allows. */
    final <T> T inTime(String call, Callable<T> callable) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread caller = new Thread(
                () -> {
                    try {
                        answer.complete(callable.call());
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                },
                "caller");
        caller.setDaemon(true);
        caller.start();
        try {
            return answer.get(kit.longestCall().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(call + " did not return within " + kit.longestCall(), e);
        } catch (ExecutionException e) {
            throw new AssertionError(call + " failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted during " + call, e);
        }
    }
}
