/**
 * The contract of a follow graph; not exported. Read {@link io.feedkit.testkit.internal.graph.GraphFollowerRules}
 * first.
 */
@NullMarked
package io.feedkit.testkit.internal.graph;

import org.jspecify.annotations.NullMarked;
