/** What the buses of all backends share: {@link io.feedkit.internal.bus.BusListeners}. */
@NullMarked
package io.feedkit.internal.bus;

import org.jspecify.annotations.NullMarked;
