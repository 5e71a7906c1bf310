package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.fanout.TaskKind;
import java.time.Instant;
import java.util.Optional;

/**
 * A fan-out task that is not finished, as {@link Explanation#tasks} lists it.
 *
 * @param id the id; for a dead letter, {@link io.feedkit.fanout.FanoutControl#replay} takes it
 * @param kind the kind
 * @param state the state
 * @param until for WAITING and RETRYING from when the task can be claimed, for CLAIMED and QUEUED the end of the lease
 *     or loan, for DEAD when the task became a dead letter
 * @param created when the task was recorded
 * @param attempts how often the task has failed since its last progress; failures to reach a store do not count
 * @param outages how often in a row the task could not reach a store
 * @param handled the last follower whom the task has handled, in the order of ids; empty if there is none
 * @param failure for DEAD the last failure; otherwise empty
 * @since 0.1.0
 */
@Beta
public record DeliveryTask(
        String id,
        TaskKind kind,
        State state,
        Instant until,
        Instant created,
        int attempts,
        int outages,
        Optional<String> handled,
        Optional<String> failure) {

    /** The state of a task. Later versions may have further states. */
    public enum State {
        /** The task waits for a worker. */
        WAITING,
        /** The task has failed, or could not reach a store, and waits for its next attempt. */
        RETRYING,
        /** A worker works on the task, or has died with it. */
        CLAIMED,
        /** A message about the task is in the fan-out queue. */
        QUEUED,
        /** The task failed too often, and is a dead letter. */
        DEAD
    }

    /** Refuses null. */
    public DeliveryTask {
        nonNull("id", id);
        nonNull("kind", kind);
        nonNull("state", state);
        nonNull("until", until);
        nonNull("created", created);
        nonNull("handled", handled);
        nonNull("failure", failure);
    }
}
