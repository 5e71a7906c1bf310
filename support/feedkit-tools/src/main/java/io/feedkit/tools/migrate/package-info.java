/**
 * A home-made feed of tables and sorted sets that moves to FeedKit, and a measurement of moved followers. Read
 * {@link io.feedkit.tools.migrate.Migration} first.
 */
@NullMarked
package io.feedkit.tools.migrate;

import org.jspecify.annotations.NullMarked;
