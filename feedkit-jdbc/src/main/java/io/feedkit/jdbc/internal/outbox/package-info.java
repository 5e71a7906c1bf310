/**
 * Posts and tombstones, and the register of those whose readers must look. Read {@link io.feedkit.jdbc.internal.outbox.JdbcOutbox} first; what is written
 * goes through {@link io.feedkit.jdbc.internal.outbox.PostTable}, what is read through {@link io.feedkit.jdbc.internal.posts.PostSource}.
 */
@NullMarked
package io.feedkit.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
