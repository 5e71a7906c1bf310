/**
 * What the kits' rules share; not exported, public only for the packages below this one, each of which holds the rules
 * of one or a few kits. Read {@link io.feedkit.testkit.internal.Kit} first.
 */
@NullMarked
package io.feedkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
