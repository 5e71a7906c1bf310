/** What a page costs whose reader follows very many. */
@NullMarked
package io.feedkit.bench.scale.followees;

import org.jspecify.annotations.NullMarked;
