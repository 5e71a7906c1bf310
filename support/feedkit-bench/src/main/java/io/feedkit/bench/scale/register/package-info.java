/** What a pulled register of a million entries costs. */
@NullMarked
package io.feedkit.bench.scale.register;

import org.jspecify.annotations.NullMarked;
