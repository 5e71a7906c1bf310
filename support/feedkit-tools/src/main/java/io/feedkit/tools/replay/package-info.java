/**
 * The replay of recorded posts through an engine. Read {@link io.feedkit.tools.replay.Replay} first: it is the whole
 * course of a run; {@code ReplayCommand} says what can be set, and the files' formats are in {@code FollowsFile},
 * {@code PostsFile} and {@code OpsFile}. {@code Recording} is for programs that measure.
 */
@NullMarked
package io.feedkit.tools.replay;

import org.jspecify.annotations.NullMarked;
