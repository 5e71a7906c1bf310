/** Tests of what is kept in Redis: the kits on a real server ({@code *CompatibilityTest}), and what only Redis can get wrong. */
package io.feedkit.redis;
