@NullMarked
package io.feedkit.tools.verify;

import org.jspecify.annotations.NullMarked;
