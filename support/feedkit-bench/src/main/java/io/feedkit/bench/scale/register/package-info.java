/** The cost of a pulled register with a million entries. */
@NullMarked
package io.feedkit.bench.scale.register;

import org.jspecify.annotations.NullMarked;
