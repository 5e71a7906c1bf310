package io.feedkit.internal.relay;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the calls to the host's queue, which should not throw. If one throws, the failure is logged (as a warning once
 * in some minutes, otherwise at DEBUG), and the call answers like a queue that cannot be reached: no message is
 * confirmed, none has arrived, and the status is {@link FanoutQueue.Status#UNREACHABLE}. So the workers claim from the
 * log. Only {@link #receive} throws, because an engine that cannot receive must not start. Thread-safe.
 */
final class GuardedQueue implements FanoutQueue {

    private static final Logger log = LoggerFactory.getLogger(GuardedQueue.class);

    private final FanoutQueue queue;
    private final String engine;
    private final WarningLimiter warnings;

    /** Subscriptions whose last poll has failed. */
    private final Set<Subscription> failing = ConcurrentHashMap.newKeySet();

    GuardedQueue(FanoutQueue queue, EngineSettings settings) {
        this.queue = queue;
        this.engine = settings.name();
        this.warnings = new WarningLimiter(settings.clock());
    }

    /** Returns the answer; empty if the call throws or returns null. */
    private <T> Optional<T> call(String what, Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (Throwable e) {
            GuardedCallbacks.throwIfFatal(e);
            Interrupts.keep(e);
            log.atLevel(warnings.level())
                    .setCause(FailureReasons.printable(e))
                    .log(
                            "{}: {} of the fan-out queue failed; no task is lost; failures of the next minutes are "
                                    + "logged at DEBUG",
                            engine,
                            what);
            return Optional.empty();
        }
    }

    private void run(String what, Runnable call) {
        Optional<Boolean> unused = call(what, () -> {
            call.run();
            return true;
        });
    }

    @Override
    public List<Sent> send(List<Message> messages) {
        return call("send", () -> {
                    List<Sent> answers = queue.send(messages);
                    if (answers.size() != messages.size()) {
                        throw new IllegalStateException(
                                answers.size() + " answers for " + messages.size() + " messages");
                    }
                    return answers;
                })
                .orElse(Collections.nCopies(messages.size(), Sent.UNKNOWN));
    }

    @Override
    public Subscription receive(Lane lane, int most, Runnable arrived) {
        return new Guarded(queue.receive(lane, most, arrived));
    }

    @Override
    public Status status() {
        return failing.isEmpty() ? call("status", queue::status).orElse(Status.UNREACHABLE) : Status.UNREACHABLE;
    }

    @Override
    public void close() {
        run("close", queue::close);
    }

    private final class Guarded implements Subscription {

        private final Subscription subscription;
        private volatile boolean closed;

        Guarded(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public List<Received> poll(int max) {
            Optional<List<Received>> received = call("poll", () -> subscription.poll(max));
            if (received.isEmpty()) {
                failing.add(this);
            }
            if (received.isPresent() || closed) {
                failing.remove(this);
            }
            return received.orElse(List.of());
        }

        @Override
        public void acknowledge(Collection<? extends Received> messages) {
            run("acknowledge", () -> subscription.acknowledge(messages));
        }

        @Override
        public void refuse(Collection<? extends Received> messages, String reason) {
            run("refuse", () -> subscription.refuse(messages, reason));
        }

        @Override
        public void close() {
            closed = true;
            run("the end of a subscription", subscription::close);
            failing.remove(this);
        }
    }
}
