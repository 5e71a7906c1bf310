/** Changes of numbers that Redis holds until they are written to the source of truth. */
package io.feedkit.redis.internal.late;
