/**
 * Processes the next batch of followers of some tasks: chooses the posts, enters unpushed posts in the register, pages
 * the followers, writes to their inboxes, and moves the cursors.
 */
@NullMarked
package io.feedkit.internal.fanout.batch;

import org.jspecify.annotations.NullMarked;
