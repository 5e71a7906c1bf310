/** Arguments and answers of handlers, in Spring MVC and WebFlux. */
@NullMarked
package io.feedkit.spring.web;

import org.jspecify.annotations.NullMarked;
