/** Invented accounts that post by themselves, or a recorded week of real follows and posts. Read {@code Worlds} first. */
@NullMarked
package io.feedkit.examples.microblog.world;

import org.jspecify.annotations.NullMarked;
