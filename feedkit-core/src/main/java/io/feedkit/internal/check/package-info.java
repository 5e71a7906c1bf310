/**
 * Checks of arguments and settings, for the core and its backends.
 */
@NullMarked
package io.feedkit.internal.check;

import org.jspecify.annotations.NullMarked;
