/**
 * What an engine remembers of a store, and until when.
 */
@NullMarked
package io.feedkit.internal.cache;

import org.jspecify.annotations.NullMarked;
