/**
 * Reads of posts, in each database's best way. Read {@link io.feedkit.jdbc.internal.posts.PostSource} first.
 */
@NullMarked
package io.feedkit.jdbc.internal.posts;

import org.jspecify.annotations.NullMarked;
