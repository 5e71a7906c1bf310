package io.feedkit.event;

import io.feedkit.Post;
import java.util.List;

/**
 * A post was delivered to some of its readers. A fan-out gives one event for each batch of followers.
 *
 * @param post the post
 * @param readers those into whose inboxes it was inserted
 * @param present how many had it before
 * @param belowFloor how many will read it from the outbox, since their inboxes do not reach down to it
 * @param notLive how many have no live inbox
 * @param doubted whether the task is older than the time before which this engine doubts all deliveries (see
 *     {@link DeliveriesDoubted}): then the readers are those whose inboxes had lost the post, or had not got it yet if
 *     the task was unfinished at that time
 */
public record PostDelivered(
        Post post, List<String> readers, int present, int belowFloor, int notLive, boolean doubted) {}
