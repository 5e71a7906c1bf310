/** Whether the stores of an engine answer. */
@NullMarked
package io.feedkit.health;

import org.jspecify.annotations.NullMarked;
