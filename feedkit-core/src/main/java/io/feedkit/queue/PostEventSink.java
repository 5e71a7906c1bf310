package io.feedkit.queue;

import io.feedkit.Beta;
import io.feedkit.queue.FanoutQueue.Sent;
import java.util.List;

/**
 * Receives the events of posts from an engine, for example to send them to a topic of a message broker. The engine
 * keeps an event until the sink has confirmed it. So every event arrives at least once, unless the store is lost: an
 * event may arrive again, with the same {@link PostEvent#id()}, and events arrive in any order. See {@link PostEvent}
 * for how consumers handle that.
 *
 * <p>Called by one thread of each engine that has the sink.
 *
 * @since 0.1.0
 */
@Beta
public interface PostEventSink extends AutoCloseable {

    /**
     * Sends events, and waits in bounded time for the outcome of each. That time must be shorter than the engine's
     * {@linkplain io.feedkit.FeedEngineBuilder.FanoutSettings#lease lease}; otherwise other engines send the same
     * events. Does not throw if the receiver cannot be reached. An event that was not confirmed is sent again later.
     *
     * @param events at least one event
     * @return the outcome for each event
     */
    List<Sent> send(List<PostEvent> events);

    /** Closes what the sink has opened. Idempotent. Does not throw. */
    @Override
    void close();
}
