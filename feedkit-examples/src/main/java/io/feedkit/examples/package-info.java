/**
 * Runnable examples. Read {@link io.feedkit.examples.Quickstart} first, which shows how an application uses feeds.
 * {@link io.feedkit.examples.Main} is the command line.
 */
@NullMarked
package io.feedkit.examples;

import org.jspecify.annotations.NullMarked;
