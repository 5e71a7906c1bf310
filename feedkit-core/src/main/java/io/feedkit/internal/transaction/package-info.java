/**
 * Publishes and deletes in transactions of the host: nobody tells the engine when they commit.
 */
@NullMarked
package io.feedkit.internal.transaction;

import org.jspecify.annotations.NullMarked;
