/** How far readers have seen, in SQL: {@link io.feedkit.jdbc.internal.unread.JdbcUnreadCounter}. */
@NullMarked
package io.feedkit.jdbc.internal.unread;

import org.jspecify.annotations.NullMarked;
