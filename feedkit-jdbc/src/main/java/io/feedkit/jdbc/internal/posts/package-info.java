/**
 * Reads of posts, with the fastest statements of each database. Read {@link io.feedkit.jdbc.internal.posts.PostSource}
 * first.
 */
@NullMarked
package io.feedkit.jdbc.internal.posts;

import org.jspecify.annotations.NullMarked;
