/**
 * The host's settings, callbacks and listener, and the guards around their calls.
 */
@NullMarked
package io.feedkit.internal.host;

import org.jspecify.annotations.NullMarked;
