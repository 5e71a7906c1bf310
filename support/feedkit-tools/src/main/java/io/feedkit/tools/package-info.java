/**
 * Command-line tools: replay recorded feeds and counters, inspect what is stored in Redis, and show fan-out through a
 * broker. {@link io.feedkit.tools.Main} is the command line.
 */
@NullMarked
package io.feedkit.tools;

import org.jspecify.annotations.NullMarked;
