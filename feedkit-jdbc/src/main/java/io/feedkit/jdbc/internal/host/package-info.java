/**
 * A host's own tables of posts and of follows. Read {@link io.feedkit.jdbc.internal.host.HostPosts} first, which maps a
 * table of posts to the columns of FeedKit's; {@code HostFollowGraph} reads a table of follows, and {@code HostColumns}
 * checks the columns.
 */
@NullMarked
package io.feedkit.jdbc.internal.host;

import org.jspecify.annotations.NullMarked;
