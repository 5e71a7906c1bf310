/**
 * Reads the state of one reader's feed, and explains it. Nothing here changes a store. Start with
 * {@link io.feedkit.internal.inspect.PostExplainer} and {@link io.feedkit.internal.inspect.ReaderInspector}.
 */
@NullMarked
package io.feedkit.internal.inspect;

import org.jspecify.annotations.NullMarked;
