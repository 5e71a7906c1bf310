/** Checks of the documentation. */
@NullMarked
package io.feedkit.tools.docs;

import org.jspecify.annotations.NullMarked;
