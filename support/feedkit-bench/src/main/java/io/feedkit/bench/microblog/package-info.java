/**
 * The suite {@code microblog}: the example application over HTTP. Start with
 * {@link io.feedkit.bench.microblog.MicroblogSuite}.
 */
@NullMarked
package io.feedkit.bench.microblog;

import org.jspecify.annotations.NullMarked;
