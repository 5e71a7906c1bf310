/** The cost of pages of readers with very many followees. */
@NullMarked
package io.feedkit.bench.scale.followees;

import org.jspecify.annotations.NullMarked;
