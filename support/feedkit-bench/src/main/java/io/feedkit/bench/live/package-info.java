/**
 * The suite {@code live}: live feeds, presence, cards and ranked pages. Start with
 * {@link io.feedkit.bench.live.LiveSuite}.
 */
@NullMarked
package io.feedkit.bench.live;

import org.jspecify.annotations.NullMarked;
