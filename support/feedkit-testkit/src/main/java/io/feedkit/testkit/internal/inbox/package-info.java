/**
 * The contract of an inbox; not exported. Read {@link io.feedkit.testkit.internal.inbox.InboxStateRules} first, and for
 * the random operations {@link io.feedkit.testkit.internal.inbox.InboxModel}.
 */
@NullMarked
package io.feedkit.testkit.internal.inbox;

import org.jspecify.annotations.NullMarked;
