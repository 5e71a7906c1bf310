/** Announcements to everybody. Read {@code AnnouncementController} first. */
@NullMarked
package io.feedkit.examples.microblog.announcement;

import org.jspecify.annotations.NullMarked;
