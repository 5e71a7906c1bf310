/** Health checks of an engine's store. */
@NullMarked
package io.feedkit.health;

import org.jspecify.annotations.NullMarked;
