/**
 * Shows FeedKit's data in Redis. {@link io.feedkit.tools.inspect.InspectCommand} uses only the documented format.
 */
@NullMarked
package io.feedkit.tools.inspect;

import org.jspecify.annotations.NullMarked;
