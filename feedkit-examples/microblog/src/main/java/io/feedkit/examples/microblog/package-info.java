/**
 * An example of a whole application on FeedKit: a microblog that speaks a part of the Mastodon client API. It is no
 * product: it has no mail, no moderation and no federation.
 *
 * <p>Read first: {@code status}, which writes posts; {@code timeline}, which reads feeds; {@code stream}, which sends
 * them live.
 */
@NullMarked
package io.feedkit.examples.microblog;

import org.jspecify.annotations.NullMarked;
