/** What Spring MVC and WebFlux call. */
@NullMarked
package io.feedkit.spring.internal.web;

import org.jspecify.annotations.NullMarked;
