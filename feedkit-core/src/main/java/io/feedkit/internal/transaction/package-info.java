/**
 * Handles publishes, deletes and follows in transactions of the host. The host does not report its commits, so the
 * engine looks for them.
 */
@NullMarked
package io.feedkit.internal.transaction;

import org.jspecify.annotations.NullMarked;
