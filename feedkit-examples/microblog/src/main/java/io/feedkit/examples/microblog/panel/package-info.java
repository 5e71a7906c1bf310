/**
 * What the page shows to developers: how FeedKit made a home page, which way the last post went, and the fan-out policy.
 */
@NullMarked
package io.feedkit.examples.microblog.panel;

import org.jspecify.annotations.NullMarked;
