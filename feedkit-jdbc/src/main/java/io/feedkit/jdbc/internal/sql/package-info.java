/**
 * The foundation of all SQL stores. Read {@link io.feedkit.jdbc.internal.sql.Database} first: it runs statements and
 * transactions, and turns failures into FeedKit's exceptions. {@link io.feedkit.jdbc.internal.sql.ParameterTable} sends
 * a batch in one parameter.
 */
@NullMarked
package io.feedkit.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
