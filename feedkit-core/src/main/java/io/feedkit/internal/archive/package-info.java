/**
 * The archive: an outbox that reads and writes over two tiers, and the mover of old posts. Read
 * {@link io.feedkit.internal.archive.ArchivedOutbox} first.
 */
@NullMarked
package io.feedkit.internal.archive;

import org.jspecify.annotations.NullMarked;
