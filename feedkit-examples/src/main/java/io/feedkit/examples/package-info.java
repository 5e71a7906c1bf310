/**
 * Runnable examples. Read {@link io.feedkit.examples.Quickstart} first: it is what an application does with feeds;
 * {@link io.feedkit.examples.Main} is the command line that starts it.
 */
@NullMarked
package io.feedkit.examples;

import org.jspecify.annotations.NullMarked;
