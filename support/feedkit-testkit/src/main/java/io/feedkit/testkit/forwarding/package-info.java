/**
 * Stores on top of stores. The {@code Forwarding...} interfaces pass every call on, so that a test changes only a few
 * calls: read {@link io.feedkit.testkit.forwarding.ForwardingFeedStore} first.
 * {@link io.feedkit.testkit.forwarding.InterleavingStore} runs other code at chosen calls.
 */
@NullMarked
package io.feedkit.testkit.forwarding;

import org.jspecify.annotations.NullMarked;
