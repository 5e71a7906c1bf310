/**
 * How posts are read, wherever they are, in each database's best words. Read {@link io.feedkit.jdbc.internal.posts.PostSource} first.
 */
@NullMarked
package io.feedkit.jdbc.internal.posts;

import org.jspecify.annotations.NullMarked;
