/**
 * Who is online: this engine's connected and seen readers, their reports to the
 * {@link io.feedkit.spi.PresenceStore}, and the answers to hosts. Read
 * {@link io.feedkit.internal.presence.EnginePresence} first.
 */
@NullMarked
package io.feedkit.internal.presence;

import org.jspecify.annotations.NullMarked;
