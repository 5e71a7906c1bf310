/**
 * Cards: posts with everything that a page shows for them. Read {@link io.feedkit.cards.PageAssembly} first.
 *
 * <p>A {@link io.feedkit.cards.CardPart} loads values by key, for all cards of a page in one call. A
 * {@link io.feedkit.cards.CardField} is a value on each card. {@link io.feedkit.cards.CardParts} has parts for
 * counters, reactions and the unread mark.
 */
@NullMarked
package io.feedkit.cards;

import org.jspecify.annotations.NullMarked;
