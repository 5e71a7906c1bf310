package io.feedkit.survival.chaos;

/**
 * What all seeds have in common.
 *
 * @param printed how many violations of each rule are printed
 * @param aheadMillis how far ahead of the present posts may be dated
 * @param skewMillis how wrong the clocks of engines may be, in both directions
 * @param outageMillis for how long the database is down once; 0 for never
 */
record ChaosOptions(int printed, int aheadMillis, int skewMillis, long outageMillis) {}
