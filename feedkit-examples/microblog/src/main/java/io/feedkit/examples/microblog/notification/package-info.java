/**
 * Notifications, and how far an account has read. A notification is a post of FeedKit in a feed of its own, whose author
 * is {@code notify:ID}. So lists, live delivery and deletes need no second mechanism. {@code Notifications} writes them.
 */
@NullMarked
package io.feedkit.examples.microblog.notification;

import org.jspecify.annotations.NullMarked;
