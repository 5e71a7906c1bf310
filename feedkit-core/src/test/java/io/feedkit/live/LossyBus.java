package io.feedkit.live;

import io.feedkit.memory.InMemoryLiveBus;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One engine's way to a bus in memory, which loses messages that the engine sends, or lets it wait. */
final class LossyBus implements LiveBus {

    private static final int NUMBER = 3;

    private final InMemoryLiveBus bus;
    private final AtomicInteger lost = new AtomicInteger();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private volatile Predicate<String> loses = message -> false;
    private volatile @Nullable CountDownLatch gate;

    LossyBus(InMemoryLiveBus bus) {
        this.bus = bus;
    }

    /** Loses the messages that fit, until another call. */
    void lose(Predicate<String> condition) {
        loses = condition;
    }

    void loseNothing() {
        lose(message -> false);
    }

    /** How many messages were lost. */
    int lost() {
        return lost.get();
    }

    /** Lets each send wait until the latch is open. */
    void waitFor(CountDownLatch latch) {
        gate = latch;
    }

    static boolean isFarewell(String message) {
        return message.split("\n", 2)[0].split(" ", -1)[NUMBER].startsWith("-");
    }

    @Override
    public void send(String message) {
        CountDownLatch latch = gate;
        if (latch != null) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (loses.test(message)) {
            lost.incrementAndGet();
        } else {
            bus.send(message);
            sent.add(message);
        }
    }

    /** Whether all listeners have received a message with a text. */
    boolean hasSent(String text) {
        return sent.stream().anyMatch(message -> message.contains(text));
    }

    @Override
    public Registration listen(Listener listener) {
        return bus.listen(listener);
    }
}
