/** What differs between versions of Spring Boot, for Spring Boot 4: health, JSON, and where Redis is configured. */
@NullMarked
package io.feedkit.spring.boot4;

import org.jspecify.annotations.NullMarked;
