/**
 * The contract of an outbox, and the driver that the rules of its log and its register use too; not exported. Read
 * {@link io.feedkit.testkit.internal.outbox.OutboxAppendRules} first.
 */
@NullMarked
package io.feedkit.testkit.internal.outbox;

import org.jspecify.annotations.NullMarked;
