/** Compares the feeds of an application with the source of truth: the command {@code verify}. */
@NullMarked
package io.feedkit.tools.verify;

import org.jspecify.annotations.NullMarked;
