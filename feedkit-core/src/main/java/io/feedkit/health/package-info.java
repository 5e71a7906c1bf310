/** Health checks of an engine's store, and what a store says of itself when it is opened. */
@NullMarked
package io.feedkit.health;

import org.jspecify.annotations.NullMarked;
