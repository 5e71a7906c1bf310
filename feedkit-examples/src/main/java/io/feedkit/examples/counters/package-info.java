/**
 * Plays a trace of counters against a store and prints what they say afterwards. Begin at
 * {@link io.feedkit.examples.counters.CountersCommand}.
 */
@NullMarked
package io.feedkit.examples.counters;

import org.jspecify.annotations.NullMarked;
