/**
 * What an engine knows about one reader's feed, for operators: {@link io.feedkit.FeedEngine#inspect} and
 * {@link io.feedkit.FeedEngine#explain}.
 */
@NullMarked
package io.feedkit.inspect;

import org.jspecify.annotations.NullMarked;
