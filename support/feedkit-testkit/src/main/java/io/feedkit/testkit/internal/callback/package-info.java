/**
 * What hosts can rely on when their own code, or the store, throws what nobody declared, blocks, or calls back; not
 * exported. Read {@link io.feedkit.testkit.internal.callback.CallbackRules} first.
 */
@NullMarked
package io.feedkit.testkit.internal.callback;

import org.jspecify.annotations.NullMarked;
