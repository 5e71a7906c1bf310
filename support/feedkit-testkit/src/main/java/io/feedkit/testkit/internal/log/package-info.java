/** The contract of a fan-out log; not exported. Read {@link io.feedkit.testkit.internal.log.LogClaimRules} first. */
@NullMarked
package io.feedkit.testkit.internal.log;

import org.jspecify.annotations.NullMarked;
