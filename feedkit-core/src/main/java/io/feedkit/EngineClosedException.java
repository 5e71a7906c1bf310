package io.feedkit;

import io.feedkit.internal.check.Arguments;

/**
 * The engine was closed before or during the call.
 *
 * @since 0.1.0
 */
public final class EngineClosedException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The engine's name. */
    private final String engine;

    /**
     * Creates an exception that names the engine.
     *
     * @param engine the engine's name
     */
    public EngineClosedException(String engine) {
        super("engine " + Arguments.nonNull("engine", engine) + " is closed", null);
        this.engine = engine;
    }

    /**
     * The closed engine.
     *
     * @return the engine's name
     */
    public String engine() {
        return engine;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
