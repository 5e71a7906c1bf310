/** Records in cursors which posts a client has been shown. Start with {@link io.feedkit.internal.paging.ShownPosts}. */
@NullMarked
package io.feedkit.internal.paging;

import org.jspecify.annotations.NullMarked;
