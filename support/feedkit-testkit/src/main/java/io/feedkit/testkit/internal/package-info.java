/**
 * Helpers for the kits' rules; not exported. They are public only for the packages below this one. Each of these
 * packages holds the rules of one or a few kits. Read {@link io.feedkit.testkit.internal.Kit} first.
 */
@NullMarked
package io.feedkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
