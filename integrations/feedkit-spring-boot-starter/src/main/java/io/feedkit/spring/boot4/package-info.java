/** What differs between versions of Spring Boot, for Spring Boot 4: health and JSON. */
@NullMarked
package io.feedkit.spring.boot4;

import org.jspecify.annotations.NullMarked;
