/**
 * What the stores on Redis survive, on real servers. Read {@link io.feedkit.redis.survival.KilledConnectionsTest}
 * first. The other tests are made of the same parts, which are in {@code io.feedkit.testservers.survival}.
 */
package io.feedkit.redis.survival;
