/** Breaks the production shape piece by piece while a reader scrolls, and prints what operators see. */
@NullMarked
package io.feedkit.survival.outages;

import org.jspecify.annotations.NullMarked;
