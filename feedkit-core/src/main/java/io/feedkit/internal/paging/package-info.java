/**
 * The posts that were shown to a client, as a cursor records them. Read {@link io.feedkit.internal.paging.ShownPosts}
 * first.
 */
@NullMarked
package io.feedkit.internal.paging;

import org.jspecify.annotations.NullMarked;
