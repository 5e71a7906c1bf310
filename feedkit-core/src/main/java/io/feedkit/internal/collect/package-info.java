/** The newest posts of many authors. */
@NullMarked
package io.feedkit.internal.collect;

import org.jspecify.annotations.NullMarked;
