/** Puts the store together, from properties and beans. */
@NullMarked
package io.feedkit.spring.internal.store;

import org.jspecify.annotations.NullMarked;
