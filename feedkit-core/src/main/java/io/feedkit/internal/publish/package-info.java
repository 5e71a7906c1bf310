/**
 * The write path. Start with {@link io.feedkit.internal.publish.PostWriter}. A publish asks the policy, appends, and
 * does the work that must not wait for a worker; in a transaction of the host, that work follows the commit.
 */
@NullMarked
package io.feedkit.internal.publish;

import org.jspecify.annotations.NullMarked;
