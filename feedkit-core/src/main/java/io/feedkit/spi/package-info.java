/**
 * The interfaces that a backend implements. Read {@link io.feedkit.spi.FeedStore} first, then
 * {@link io.feedkit.spi.Outbox} (the source of truth) and {@link io.feedkit.spi.Inbox} (the posts that were pushed to
 * each reader). {@link io.feedkit.spi.Position} explains the order of posts.
 *
 * <p>Rules for every operation in this package, unless its documentation differs:
 *
 * <ul>
 *   <li><b>Blocking.</b> When a call returns, its effect is visible to every later call, from any thread or process.
 *   <li><b>Batches.</b> A call takes many keys, so that a backend can pipeline; answer <i>i</i> belongs to request
 *       <i>i</i>. Each key is handled atomically; the batch as a whole is not. An empty batch does nothing. The same
 *       key may occur twice in a batch: the requests take effect in their order.
 *   <li><b>Thread-safety.</b> Every implementation is safe for use by any number of threads and processes at once.
 *   <li><b>Failure.</b> {@link io.feedkit.StoreUnavailableException} if nothing was done, and if a read failed;
 *       {@link io.feedkit.OutcomeUnknownException} if any part of a batch of writes may or may not have taken effect.
 *       Every write here is idempotent or refuses a second attempt, so the engine may repeat it. Both are thrown in
 *       bounded time. A backend's own exceptions are never thrown unwrapped: they are the cause.
 *   <li><b>Arguments</b> are checked by the engine before the call: ids are legal, collections hold no nulls, limits
 *       are positive. Implementations copy what they keep.
 *   <li><b>Time.</b> Milliseconds since the epoch for instants, milliseconds for durations. Leases and live windows are
 *       measured by the store's own clock.
 *   <li><b>Results</b> are immutable snapshots, owned by the caller.
 * </ul>
 */
@NullMarked
package io.feedkit.spi;

import org.jspecify.annotations.NullMarked;
