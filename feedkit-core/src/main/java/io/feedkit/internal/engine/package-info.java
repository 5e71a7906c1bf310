/**
 * Puts an engine together: {@link io.feedkit.internal.engine.EngineAssembly} makes every part once. Erasing a user,
 * which concerns all parts, is here as well.
 */
@NullMarked
package io.feedkit.internal.engine;

import org.jspecify.annotations.NullMarked;
