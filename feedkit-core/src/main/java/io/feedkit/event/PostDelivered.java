package io.feedkit.event;

import io.feedkit.Post;
import java.util.List;

/**
 * A post was delivered to some of its readers. A fan-out gives one event for each batch of followers.
 *
 * @param post the post
 * @param readers the readers into whose inboxes the post was inserted
 * @param present how many readers had the post before
 * @param belowFloor how many readers will read the post from the outbox, because their inboxes do not reach down to it
 * @param notLive how many readers have no live inbox
 * @param afterSuspectedLoss whether the task is older than a suspected loss (see {@link DeliveryLossSuspected}). Then
 *     the inboxes of these readers had lost the post, or had not received it yet if the task was unfinished at that
 *     time
 */
public record PostDelivered(
        Post post, List<String> readers, int present, int belowFloor, int notLive, boolean afterSuspectedLoss) {}
