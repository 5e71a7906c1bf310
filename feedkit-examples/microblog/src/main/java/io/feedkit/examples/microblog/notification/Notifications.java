package io.feedkit.examples.microblog.notification;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Followed;
import io.feedkit.examples.microblog.status.Interaction;
import io.feedkit.examples.microblog.status.StatusDeleted;
import io.feedkit.examples.microblog.web.JoinedCounters;
import io.feedkit.examples.microblog.web.Snowflakes;
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
    private final JoinedCounters counters;
    private final Snowflakes ids;

    Notifications(NotificationRows rows, FeedEngine feed, JoinedCounters counters, Snowflakes ids) {
        this.rows = rows;
        this.feed = feed;
        this.counters = counters;
        this.ids = ids;
    }

    @EventListener
    @Transactional
    public void followed(Followed event) {
        long to = event.followee().id();
        long from = event.follower().id();
        List<Notification> known = rows.find("follow", to, from, Optional.empty());
        if (!event.following()) {
            delete(known);
        } else if (known.isEmpty()) {
            add("follow", to, from, Optional.empty());
        }
    }

    @EventListener
    @Transactional
    public void interacted(Interaction event) {
        Optional<Long> status = Optional.of(event.statusId());
        if (event.undone()) {
            delete(rows.find(event.type(), event.to(), event.from(), status));
        } else {
            add(event.type(), event.to(), event.from(), status);
        }
    }

    @EventListener
    @Transactional
    public void deleted(StatusDeleted event) {
        delete(rows.about(event.statusId()));
    }

    /** Notifies an account, unless it did the thing itself. */
    private void add(String type, long to, long from, Optional<Long> statusId) {
        if (to != from) {
            Notification notification = new Notification(ids.next(), to, type, from, statusId);
            rows.insert(notification);
            feed.publish(notification.post());
            unread().add(List.of(notification.account()), type, 1, notification.key());
        }
    }

    @Transactional
    public void dismiss(Account me, long id) {
        delete(rows.find(me.id(), id).stream().toList());
    }

    @Transactional
    public void clear(Account me) {
        UnreadCounts shown = unread().get(me.key());
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
        return unread().get(me.key()).total();
    }

    /** Clears the unread count, if the account has read up to its newest notification. */
    void readUpTo(Account me, long id) {
        UnreadCounts shown = unread().get(me.key());
        if (!rows.hasNewer(me.id(), id)) {
            unread().markSeen(shown); // those that come now stay unread
        }
    }

    private UnreadCounter unread() {
        return counters.get().unread();
    }
}
