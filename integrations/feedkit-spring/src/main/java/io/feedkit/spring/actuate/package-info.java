/** What operators see: the endpoint {@code feedkit}, health and info. */
@NullMarked
package io.feedkit.spring.actuate;

import org.jspecify.annotations.NullMarked;
