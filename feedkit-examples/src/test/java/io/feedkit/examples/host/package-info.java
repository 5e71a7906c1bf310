/** An application with tables of its own. Read {@link io.feedkit.examples.host.Timeline} first. */
@NullMarked
package io.feedkit.examples.host;

import org.jspecify.annotations.NullMarked;
