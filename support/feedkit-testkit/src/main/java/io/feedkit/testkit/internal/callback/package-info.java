/**
 * The promises to hosts whose own code, or whose store, throws undeclared exceptions, blocks, or calls back; not
 * exported. Read {@link io.feedkit.testkit.internal.callback.CallbackRules} first.
 */
@NullMarked
package io.feedkit.testkit.internal.callback;

import org.jspecify.annotations.NullMarked;
