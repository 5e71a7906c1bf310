/**
 * Stores that fail on demand, and the process that dies with them: read
 * {@link io.feedkit.testkit.fault.FaultyFeedStore} first.
 */
@NullMarked
package io.feedkit.testkit.fault;

import org.jspecify.annotations.NullMarked;
