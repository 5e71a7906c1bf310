/**
 * The contract of a pulled register; not exported. Read {@link io.feedkit.testkit.internal.register.RegisterEntryRules}
 * first.
 */
@NullMarked
package io.feedkit.testkit.internal.register;

import org.jspecify.annotations.NullMarked;
