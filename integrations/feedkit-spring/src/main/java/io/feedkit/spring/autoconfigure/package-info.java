/** Which beans there are, and under which conditions. */
@NullMarked
package io.feedkit.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
