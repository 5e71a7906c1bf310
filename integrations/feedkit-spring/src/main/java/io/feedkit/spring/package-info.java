/**
 * FeedKit in Spring applications. Hosts set {@link io.feedkit.spring.FeedKitProperties feedkit.*} properties, define
 * beans such as a {@code FanoutPolicy} or a {@code PostFilter}, and inject the {@link io.feedkit.FeedEngine}.
 *
 * <p>The parts: {@code autoconfigure} says which beans there are, {@code web} has arguments and answers of handlers,
 * {@code actuate} the endpoint and what health shows, {@code test} the slice for tests of hosts. In {@code internal},
 * {@code store} puts the store together, {@code schema} creates its tables, {@code engine} builds the engine from
 * properties and beans.
 */
@NullMarked
package io.feedkit.spring;

import org.jspecify.annotations.NullMarked;
