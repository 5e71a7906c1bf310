package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testkit.FanoutQueueCompatibilityKit;
import io.feedkit.testkit.forwarding.ForwardingFanoutQueue;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A queue as two processes see it, and the sound one beneath it, made anew for each test of the kit.
 *
 * @param sound the sound queue
 * @param view what the queue is made of, to cut it off
 * @param queue the queue under test
 * @param another the queue as another process sees it: broken in the same way, on the same sound one
 * @param longestWait how long tests wait for what may never come
 */
record QueueBench(
        InMemoryFanoutQueue sound, QueueView view, FanoutQueue queue, FanoutQueue another, Duration longestWait) {

    private static final int CAPACITY = 1000;

    /** Gives leaf tests their bench. */
    static final class Resolver implements ParameterResolver {

        private static final QueueMutant SOUND =
                new QueueMutant("passes calls on", "", sound -> (ForwardingFanoutQueue) () -> sound);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == QueueBench.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            InMemoryFanoutQueue sound = InMemoryFanoutQueue.create(CAPACITY);
            QueueView view = new QueueView(sound);
            QueueMutant mutant = context.getConfigurationParameter(Bench.MUTANT)
                    .map(QueueMutants::named)
                    .orElse(SOUND);
            FanoutQueue queue = mutant.breaking().apply(view);
            FanoutQueue another = mutant.breaking().apply(new QueueView(sound));
            Duration longestWait = mutant.caughtBy().isEmpty() ? Duration.ofSeconds(10) : Duration.ofMillis(300);
            return new QueueBench(sound, view, queue, another, longestWait);
        }
    }

    /** The kit, bound to whatever queue a run is about. It is not run by itself. */
    @ExtendWith(Resolver.class)
    static final class Queues extends FanoutQueueCompatibilityKit {
        private final QueueBench bench;

        Queues(QueueBench bench) {
            this.bench = bench;
        }

        @Override
        protected FanoutQueue queue() {
            return bench.queue();
        }

        @Override
        protected FanoutQueue anotherQueue() {
            return bench.another();
        }

        @Override
        protected List<String> deadLetters() {
            return bench.sound().deadLetters();
        }

        @Override
        protected void beginOutage() {
            bench.view().cut();
        }

        @Override
        protected void endOutage() {
            bench.view().mend();
        }

        @Override
        protected OptionalInt capacity() {
            return OptionalInt.of(CAPACITY);
        }

        @Override
        protected Duration longestWait() {
            return bench.longestWait();
        }

        @Override
        protected Duration quietTime() {
            return Duration.ofMillis(20);
        }

        @Override
        protected Duration longestCall() {
            return bench.longestWait();
        }

        @AfterEach
        void close() {
            bench.queue().close();
            bench.another().close();
            bench.sound().close();
        }
    }
}
