package io.feedkit.internal.inspect;

import io.feedkit.StoreUnavailableException;
import io.feedkit.inspect.ConnectionState;
import io.feedkit.internal.presence.EnginePresence;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** Reads whether a reader is connected, on this engine and on others. Thread-safe. */
public final class Connections {

    private final EnginePresence presence;
    private final ToIntFunction<String> subscriptions;

    /**
     * The connections of readers.
     *
     * @param subscriptions the number of a reader's live feeds on this engine
     */
    public Connections(EnginePresence presence, ToIntFunction<String> subscriptions) {
        this.presence = presence;
        this.subscriptions = subscriptions;
    }

    ConnectionState state(String reader) {
        return new ConnectionState(
                subscriptions.applyAsInt(reader),
                presence.isConnected(reader),
                ofPresence(() -> Optional.of(presence.isOnline(reader))),
                ofPresence(() -> presence.lastSeen(reader)));
    }

    private static <T> Optional<T> ofPresence(Supplier<Optional<T>> question) {
        try {
            return question.get();
        } catch (StoreUnavailableException e) {
            return Optional.empty();
        }
    }
}
