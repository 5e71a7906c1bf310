/**
 * Live feeds of clients, over server-sent events and WebSockets. A {@code UserStream} subscribes to FeedKit's live feeds
 * of an account, and writes to an {@code Outlet}. It asks for an event for each that the client has taken, so a client
 * that does not read costs no thread and a bounded queue.
 */
@NullMarked
package io.feedkit.examples.microblog.stream;

import org.jspecify.annotations.NullMarked;
