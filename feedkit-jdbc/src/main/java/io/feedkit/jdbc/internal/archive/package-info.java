/** The archive of old posts. */
@NullMarked
package io.feedkit.jdbc.internal.archive;

import org.jspecify.annotations.NullMarked;
