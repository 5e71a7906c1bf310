/** The contract of a store of counters, beside what the kit states itself; not exported. */
@NullMarked
package io.feedkit.testkit.internal.counter;

import org.jspecify.annotations.NullMarked;
