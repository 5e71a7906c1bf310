/**
 * Live feeds while servers, engines and subscribers fail. Read {@link io.feedkit.survival.live.LiveRun} first. {@link
 * io.feedkit.survival.live.Ledger} records what was published, deleted and followed, and {@link
 * io.feedkit.survival.live.Verdict} compares it with what each client received.
 */
@NullMarked
package io.feedkit.survival.live;

import org.jspecify.annotations.NullMarked;
