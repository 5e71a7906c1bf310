/** Explains why an application does not start. */
@NullMarked
package io.feedkit.spring.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
