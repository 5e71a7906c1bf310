/**
 * What a run has on a server: tables or keys of its own, which go with it, so that runs beside each other do not meet.
 */
@NullMarked
package io.feedkit.tools.servers;

import org.jspecify.annotations.NullMarked;
