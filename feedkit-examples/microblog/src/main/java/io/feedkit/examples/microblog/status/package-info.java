/**
 * Posts, replies and boosts: their table, and what happens to them. {@code Statuses} writes the rows and FeedKit's posts
 * in one transaction; {@code StatusCards} says what a status consists of when it is shown.
 */
@NullMarked
package io.feedkit.examples.microblog.status;

import org.jspecify.annotations.NullMarked;
