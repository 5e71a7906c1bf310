/** The definition of a feed in the simplest code: read {@link io.feedkit.testkit.oracle.OracleFeed} first. */
@NullMarked
package io.feedkit.testkit.oracle;

import org.jspecify.annotations.NullMarked;
