/** Creates FeedKit's tables, or checks them. */
@NullMarked
package io.feedkit.spring.internal.schema;

import org.jspecify.annotations.NullMarked;
