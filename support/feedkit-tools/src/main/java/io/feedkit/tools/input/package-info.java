/** Text files with one record a line, whose mistakes are told with the number of the line. */
@NullMarked
package io.feedkit.tools.input;

import org.jspecify.annotations.NullMarked;
