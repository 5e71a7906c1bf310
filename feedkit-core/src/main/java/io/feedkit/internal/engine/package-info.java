/**
 * Assembles an engine: {@link io.feedkit.internal.engine.EngineAssembly} creates every part once. Erasing a user is
 * also here, because it concerns all parts.
 */
@NullMarked
package io.feedkit.internal.engine;

import org.jspecify.annotations.NullMarked;
