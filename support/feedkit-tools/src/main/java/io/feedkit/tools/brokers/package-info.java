/**
 * Fan-out through a broker, with a separate process for each part: a publisher, a relay, workers, and a consumer that
 * does not use FeedKit.
 */
@NullMarked
package io.feedkit.tools.brokers;

import org.jspecify.annotations.NullMarked;
