/**
 * Failures of the production shape: posts, log and graph in SQL, inboxes in Redis, old posts in an archive. Processes
 * that move posts or run {@code verify} are killed, Redis fails over, and SQL is restored from a backup. Afterwards
 * {@link io.feedkit.survival.tiers.TierCheck} compares all tiers with {@link io.feedkit.survival.tiers.TierTruth}.
 */
@NullMarked
package io.feedkit.survival.tiers;

import org.jspecify.annotations.NullMarked;
