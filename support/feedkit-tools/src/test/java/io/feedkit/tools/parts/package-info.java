/**
 * Whole feeds on a store made of parts: inboxes in Redis, everything else in a SQL database.
 * {@link io.feedkit.tools.parts.RedisOverSql} makes the store.
 */
@NullMarked
package io.feedkit.tools.parts;

import org.jspecify.annotations.NullMarked;
