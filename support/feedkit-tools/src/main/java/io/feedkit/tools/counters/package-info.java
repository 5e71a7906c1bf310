/**
 * Plays a trace of counters against a store and prints what they say afterwards. Begin at
 * {@link io.feedkit.tools.counters.CountersCommand}.
 */
@NullMarked
package io.feedkit.tools.counters;

import org.jspecify.annotations.NullMarked;
