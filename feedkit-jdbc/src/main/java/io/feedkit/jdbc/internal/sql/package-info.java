/**
 * What all SQL stores stand on. Read {@link io.feedkit.jdbc.internal.sql.Database} first: it runs statements and transactions, and turns failures
 * into FeedKit's; {@link io.feedkit.jdbc.internal.sql.ParameterTable} is how a batch travels in one parameter.
 */
@NullMarked
package io.feedkit.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
