/** Moves of an author's followers. */
@NullMarked
package io.feedkit.internal.follow;

import org.jspecify.annotations.NullMarked;
