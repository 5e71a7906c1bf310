/**
 * The promises to hosts while two engines work, one of them at every call of the other; not exported. Read
 * {@link io.feedkit.testkit.internal.interleaving.PairInterleavings} first.
 */
@NullMarked
package io.feedkit.testkit.internal.interleaving;

import org.jspecify.annotations.NullMarked;
