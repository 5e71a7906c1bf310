/** What differs between versions of Spring Boot, for Spring Boot 3.5: health and JSON. */
@NullMarked
package io.feedkit.spring.boot3;

import org.jspecify.annotations.NullMarked;
