/**
 * The replay of recorded posts through an engine. Read {@link io.feedkit.tools.replay.Replay} first, which has all
 * steps of a run. {@code ReplayCommand} has the options. {@code FollowsFile}, {@code PostsFile} and {@code OpsFile}
 * have the formats of the files. {@code Recording} is for benchmarks.
 */
@NullMarked
package io.feedkit.tools.replay;

import org.jspecify.annotations.NullMarked;
