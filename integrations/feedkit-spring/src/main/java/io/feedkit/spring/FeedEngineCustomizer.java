package io.feedkit.spring;

import io.feedkit.Beta;
import io.feedkit.FeedEngineBuilder;

/**
 * Changes the builder of the engine, after the properties and the beans were applied. Beans of this type are called in
 * their order. A setting that a property has set cannot be set again.
 *
 * @since 0.1.0
 */
@Beta
@FunctionalInterface
public interface FeedEngineCustomizer {

    /**
     * Changes the builder.
     *
     * @param builder the builder, with the properties and beans of the application
     */
    void customize(FeedEngineBuilder builder);
}
