/** Presence in SQL. */
@NullMarked
package io.feedkit.jdbc.internal.presence;

import org.jspecify.annotations.NullMarked;
