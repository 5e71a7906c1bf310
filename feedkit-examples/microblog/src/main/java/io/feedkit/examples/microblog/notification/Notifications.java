package io.feedkit.examples.microblog.notification;

import io.feedkit.FeedEngine;
import io.feedkit.counter.FeedCounters;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Followed;
import io.feedkit.examples.microblog.web.Snowflakes;
import io.feedkit.spring.SpringTransactions;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.util.List;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Writes notifications: the row, FeedKit's post and the unread count, in the transaction of what they are about. */
@Service
public class Notifications {

    private final NotificationRows rows;
    private final FeedEngine feed;
    private final FeedCounters counters;
    private final SpringTransactions transactions;
    private final Snowflakes ids;

    Notifications(
            NotificationRows rows,
            FeedEngine feed,
            FeedCounters counters,
            SpringTransactions transactions,
            Snowflakes ids) {
        this.rows = rows;
        this.feed = feed;
        this.counters = counters;
        this.transactions = transactions;
        this.ids = ids;
    }

    @EventListener
    @Transactional
    public void followed(Followed event) {
        add("follow", event.followee().id(), event.follower().id(), Optional.empty());
    }

    /** Notifies an account, unless it did the thing itself. */
    @Transactional
    public void add(String type, long to, long from, Optional<Long> statusId) {
        if (to != from) {
            Notification notification = new Notification(ids.next(), to, type, from, statusId);
            rows.insert(notification);
            feed.publish(notification.post());
            unread().add(List.of(notification.account()), type, 1, notification.key());
        }
    }

    /** Removes the notification of something that was undone. */
    @Transactional
    public void takeBack(String type, long to, long from, long statusId) {
        delete(rows.about(statusId).stream()
                .filter(each -> each.type().equals(type) && each.accountId() == to && each.fromAccountId() == from)
                .toList());
    }

    /** Removes all notifications about a status that is deleted. */
    @Transactional
    public void deleteAbout(long statusId) {
        delete(rows.about(statusId));
    }

    @Transactional
    public void dismiss(Account me, long id) {
        delete(rows.find(me.id(), id).stream().toList());
    }

    @Transactional
    public void clear(Account me) {
        UnreadCounts shown = counters.unread().get(me.key());
        delete(rows.of(me.id()));
        unread().markSeen(shown);
    }

    private void delete(List<Notification> notifications) {
        if (!notifications.isEmpty()) {
            rows.delete(notifications);
            feed.deleteAll(notifications.stream().map(each -> each.post().key()).toList());
            notifications.forEach(each -> unread().remove(each.account(), each.type(), each.key()));
        }
    }

    /** How many notifications are unread. */
    public long unread(Account me) {
        return counters.unread().get(me.key()).total();
    }

    /** Clears the unread count, if the account has read up to its newest notification. */
    void readUpTo(Account me, long id) {
        UnreadCounts shown = counters.unread().get(me.key());
        if (!rows.hasNewer(me.id(), id)) {
            counters.unread().markSeen(shown); // those that come now stay unread
        }
    }

    private UnreadCounter unread() {
        return transactions.find().map(counters::in).orElse(counters).unread();
    }
}
