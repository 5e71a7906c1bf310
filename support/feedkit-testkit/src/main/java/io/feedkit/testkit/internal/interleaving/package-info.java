/**
 * What hosts can rely on while two engines are at work, one of them at every call of the other; not exported. Read
 * {@link io.feedkit.testkit.internal.interleaving.PairInterleavings} first.
 */
@NullMarked
package io.feedkit.testkit.internal.interleaving;

import org.jspecify.annotations.NullMarked;
