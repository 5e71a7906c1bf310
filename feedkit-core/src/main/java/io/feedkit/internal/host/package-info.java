/**
 * What the host gave: settings, callbacks and a listener, and how they are called.
 */
@NullMarked
package io.feedkit.internal.host;

import org.jspecify.annotations.NullMarked;
