/** Readers' seen marks in SQL: {@link io.feedkit.jdbc.internal.seen.JdbcSeenMarks}. */
@NullMarked
package io.feedkit.jdbc.internal.seen;

import org.jspecify.annotations.NullMarked;
