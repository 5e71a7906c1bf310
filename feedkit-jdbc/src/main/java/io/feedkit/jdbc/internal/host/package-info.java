/**
 * A host's own table of posts. Read {@link io.feedkit.jdbc.internal.host.HostPosts} first, which gives the table the
 * shape of FeedKit's; {@code HostColumns} checks its columns.
 */
@NullMarked
package io.feedkit.jdbc.internal.host;

import org.jspecify.annotations.NullMarked;
