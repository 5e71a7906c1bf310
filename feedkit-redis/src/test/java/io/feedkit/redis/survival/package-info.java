/** What happens to readers when servers are killed or reshuffled under them, counted. */
package io.feedkit.redis.survival;
