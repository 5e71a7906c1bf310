/**
 * Kills the processes of a fan-out through a broker at given points, and compares all feeds with an oracle afterwards.
 */
@NullMarked
package io.feedkit.survival;

import org.jspecify.annotations.NullMarked;
