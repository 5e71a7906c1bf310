/**
 * Checks of arguments and settings, for the core and its two backends.
 */
@NullMarked
package io.feedkit.internal.check;

import org.jspecify.annotations.NullMarked;
