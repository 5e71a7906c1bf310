/**
 * Fan-out through a broker, with a process of its own for each part: a publisher, a relay, workers, and a consumer that
 * knows nothing of FeedKit.
 */
@NullMarked
package io.feedkit.tools.brokers;

import org.jspecify.annotations.NullMarked;
