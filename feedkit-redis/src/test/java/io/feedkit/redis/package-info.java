/**
 * Tests of the stores in Redis: the kits on a real server ({@code *CompatibilityTest}), and what only Redis can get
 * wrong.
 */
package io.feedkit.redis;
