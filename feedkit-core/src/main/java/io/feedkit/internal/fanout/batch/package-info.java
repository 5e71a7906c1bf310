/**
 * Processes the next batch of followers of some tasks: chooses the posts, enters unpushed posts in the register, pages
 * the followers, writes to their inboxes, and moves the cursors. {@link io.feedkit.internal.fanout.batch.TaskSteps}
 * defines what each kind of task does.
 */
@NullMarked
package io.feedkit.internal.fanout.batch;

import org.jspecify.annotations.NullMarked;
