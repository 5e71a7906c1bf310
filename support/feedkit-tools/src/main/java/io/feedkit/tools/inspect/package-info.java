/**
 * Shows what is stored in Redis. {@link io.feedkit.tools.inspect.InspectCommand} uses nothing but the documented format.
 */
@NullMarked
package io.feedkit.tools.inspect;

import org.jspecify.annotations.NullMarked;
