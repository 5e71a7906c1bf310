/**
 * Command-line tools: replay recorded feeds and counters, inspect the data in Redis, and demonstrate fan-out through a
 * broker. {@link io.feedkit.tools.Main} is the command line.
 */
@NullMarked
package io.feedkit.tools;

import org.jspecify.annotations.NullMarked;
