/** Compatibility kits that a backend runs against its store. */
@NullMarked
package io.feedkit.testkit;

import org.jspecify.annotations.NullMarked;
