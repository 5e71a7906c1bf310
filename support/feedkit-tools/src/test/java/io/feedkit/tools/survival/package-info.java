/** What happens to feeds that are kept in two places when one of them fails. */
@NullMarked
package io.feedkit.tools.survival;

import org.jspecify.annotations.NullMarked;
