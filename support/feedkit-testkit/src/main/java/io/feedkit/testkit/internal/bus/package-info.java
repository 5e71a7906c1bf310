/** The contract of a live bus; not exported. Read {@link io.feedkit.testkit.internal.bus.BusRules} first. */
@NullMarked
package io.feedkit.testkit.internal.bus;

import org.jspecify.annotations.NullMarked;
