/** The orders of ranked feeds in SQL. Read {@link io.feedkit.jdbc.internal.rank.JdbcRankSnapshots}. */
@NullMarked
package io.feedkit.jdbc.internal.rank;

import org.jspecify.annotations.NullMarked;
