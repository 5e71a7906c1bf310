/** What a feed is, in the plainest words: read {@link io.feedkit.testkit.oracle.OracleFeed} first. */
@NullMarked
package io.feedkit.testkit.oracle;

import org.jspecify.annotations.NullMarked;
