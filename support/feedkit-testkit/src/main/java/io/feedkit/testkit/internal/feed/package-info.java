/**
 * The promises to hosts, chapter by chapter, tested through engines on the store under test; not exported. Read
 * {@link io.feedkit.testkit.internal.feed.FeedRules} first.
 */
@NullMarked
package io.feedkit.testkit.internal.feed;

import org.jspecify.annotations.NullMarked;
