/** The parts of the counter kit that are not in the kit itself; not exported. */
@NullMarked
package io.feedkit.testkit.internal.counter;

import org.jspecify.annotations.NullMarked;
