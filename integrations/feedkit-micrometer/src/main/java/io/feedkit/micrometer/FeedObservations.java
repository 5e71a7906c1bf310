package io.feedkit.micrometer;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.event.OperationEnd;
import io.feedkit.event.OperationStarted;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import io.micrometer.observation.ObservationRegistry;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes an observation of each operation of an engine, from which a tracer makes a span.
 *
 * <pre>{@code
 * FeedEngine feed = FeedEngine.builder(store)
 *         .listener(FeedObservations.create(observationRegistry))
 *         .build();
 * }</pre>
 *
 * <p>The scope of an observation is open during the operation. So observed calls to a database or to Redis on the same
 * thread become its children, and the observation itself is a child of the request that called the engine. Workers have
 * no parent: a task has a trace of its own, also because another process may run it. Calls of card parts are not
 * observed; they run on other threads.
 *
 * <table>
 * <caption>Observations</caption>
 * <tr><th>name</th><th>operation</th><th>key values of high cardinality</th></tr>
 * <tr><td>{@code feedkit.publish}</td><td>publishes or imports posts</td><td>{@code posts}</td></tr>
 * <tr><td>{@code feedkit.read}</td><td>reads a page</td><td>{@code limit}, {@code posts},
 * {@code outbox.calls}</td></tr>
 * <tr><td>{@code feedkit.count.unread}</td><td>counts unread posts</td><td>{@code readers}</td></tr>
 * <tr><td>{@code feedkit.process.tasks}</td><td>processes claimed fan-out tasks; no round without tasks is
 * observed</td><td>{@code tasks}, {@code finished}, {@code failed}</td></tr>
 * </table>
 *
 * <p>{@code feedkit.read} has one key value of low cardinality, {@code source}: {@code inbox}, {@code outbox},
 * {@code mixed} or {@code empty}, and {@code none} if the read failed. A task that fails is an event
 * {@code task.failed} of its observation. No key value holds the id of a user or a post. To change names and key
 * values, set a {@link io.micrometer.observation.GlobalObservationConvention} for {@link FeedObservationContext} in the
 * registry.
 *
 * <p>Thread-safe. The registry's handlers run within the operation and should be quick. Their failures do not fail it.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedObservations implements FeedListener {

    private final ObservationRegistry registry;

    private FeedObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    /**
     * Creates a listener. One may serve any number of engines.
     *
     * @param registry the registry of the observations; it belongs to the host
     * @return the listener
     * @throws IllegalArgumentException if the registry is null
     */
    public static FeedObservations create(ObservationRegistry registry) {
        return new FeedObservations(nonNull("registry", registry));
    }

    @Override
    public OperationEnd started(OperationStarted event) {
        Observation observation = Observation.createNotStarted(
                null, FeedObservationConvention.of(event.kind()), () -> new FeedObservationContext(event), registry);
        if (observation.isNoop()) {
            return OperationEnd.NONE;
        }
        observation.start();
        Observation.Scope before = registry.getCurrentObservationScope();
        try {
            Observation.Scope scope = observation.openScope();
            return failure -> end(observation, scope, failure);
        } catch (Throwable e) { // of a handler: the scope is open, but nobody could close it
            registry.setCurrentObservationScope(before);
            observation.stop();
            throw e;
        }
    }

    private static void end(Observation observation, Observation.Scope scope, Optional<Throwable> failure) {
        try {
            failure.ifPresent(observation::error);
        } finally {
            try {
                scope.close();
            } finally {
                observation.stop();
            }
        }
    }

    @Override
    public void read(FeedRead event) {
        withCurrent(Kind.READ, observation -> context(observation).read(event));
    }

    @Override
    public void taskFinished(TaskFinished event) {
        withCurrent(Kind.PROCESS_TASKS, observation -> context(observation).taskFinished());
    }

    @Override
    public void taskFailed(TaskFailed event) {
        withCurrent(Kind.PROCESS_TASKS, observation -> {
            context(observation).taskFailed();
            String outcome = event.dead() ? "dead letter" : "to be retried";
            observation.event(Event.of("task.failed", "task failed: " + Names.of(event.kind()) + ", " + outcome));
        });
    }

    /** Calls an action with the observation of the present operation, if that is observed and of a kind. */
    private void withCurrent(Kind kind, Consumer<Observation> action) {
        Observation current = registry.getCurrentObservation();
        if (current != null
                && current.getContext() instanceof FeedObservationContext context
                && context.kind() == kind) {
            action.accept(current);
        }
    }

    private static FeedObservationContext context(Observation observation) {
        return (FeedObservationContext) observation.getContext();
    }
}
