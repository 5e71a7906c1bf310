/**
 * A host's own table of posts. Read {@link io.feedkit.jdbc.internal.host.HostPosts} first, which makes it look like FeedKit's;
 * {@link io.feedkit.jdbc.internal.host.HostColumns} checks its columns.
 */
@NullMarked
package io.feedkit.jdbc.internal.host;

import org.jspecify.annotations.NullMarked;
