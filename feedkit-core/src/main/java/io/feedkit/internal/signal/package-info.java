/**
 * Signals of what became visible in feeds, or vanished from them: {@link io.feedkit.internal.signal.Signal}. The parts
 * of the engine that change feeds send them to {@link io.feedkit.internal.signal.FeedSignals}; live feeds receive them.
 */
@NullMarked
package io.feedkit.internal.signal;

import org.jspecify.annotations.NullMarked;
