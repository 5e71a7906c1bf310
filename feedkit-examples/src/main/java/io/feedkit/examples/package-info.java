/** Runnable examples; start with {@link io.feedkit.examples.Main}. */
@NullMarked
package io.feedkit.examples;

import org.jspecify.annotations.NullMarked;
