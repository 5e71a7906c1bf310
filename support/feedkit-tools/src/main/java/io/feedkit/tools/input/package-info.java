/** Text files with one record per line. Errors name the line number. */
@NullMarked
package io.feedkit.tools.input;

import org.jspecify.annotations.NullMarked;
