/**
 * The write path: {@link io.feedkit.internal.publish.Publisher} asks the policy, appends, and does the work that must
 * not wait for a worker.
 */
@NullMarked
package io.feedkit.internal.publish;

import org.jspecify.annotations.NullMarked;
