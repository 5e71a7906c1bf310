/**
 * Posts and tombstones, and the register of pulled authors. Read {@link io.feedkit.jdbc.internal.outbox.JdbcOutbox}
 * first. Writes go through {@code PostTable}, reads through {@link io.feedkit.jdbc.internal.posts.PostSource}.
 */
@NullMarked
package io.feedkit.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
