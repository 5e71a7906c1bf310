/** Builds the engine from properties and beans, starts and stops its workers. */
@NullMarked
package io.feedkit.spring.internal.engine;

import org.jspecify.annotations.NullMarked;
