/** Applies properties to builders, so that a failure names the property. */
@NullMarked
package io.feedkit.spring.internal.settings;

import org.jspecify.annotations.NullMarked;
