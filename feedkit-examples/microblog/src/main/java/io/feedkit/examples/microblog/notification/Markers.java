package io.feedkit.examples.microblog.notification;

import io.feedkit.FeedEngine;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.timeline.Places;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** How far accounts have read. The home feed's place is also FeedKit's seen mark. */
@Service
class Markers {

    static final String HOME = "home";
    static final String NOTIFICATIONS = "notifications";

    private final JdbcClient jdbc;
    private final FeedEngine feed;
    private final Notifications notifications;
    private final Clock clock;

    Markers(JdbcClient jdbc, FeedEngine feed, Notifications notifications, Clock clock) {
        this.jdbc = jdbc;
        this.feed = feed;
        this.notifications = notifications;
        this.clock = clock;
    }

    /** The markers of an account that exist, by timeline. */
    Map<String, Marker> find(Account me, Set<String> timelines) {
        return timelines.isEmpty()
                ? Map.of()
                : jdbc
                        .sql("select timeline, last_read_id, version, updated_at from marker"
                                + " where account_id = :account and timeline in (:timelines)")
                        .param("account", me.id())
                        .param("timelines", timelines)
                        .query((row, number) ->
                                Map.entry(row.getString(1), Marker.of(row.getString(2), row.getInt(3), row.getLong(4))))
                        .list()
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    void move(Account me, String timeline, long wanted) {
        long lastRead = Math.min(wanted, Snowflakes.first(clock.millis() + 1)); // later posts stay unread
        if (!update(me, timeline, lastRead)) {
            insert(me, timeline, lastRead);
        }
        if (timeline.equals(HOME)) {
            feed.markSeen(me.key(), Places.after(lastRead));
        } else {
            notifications.readUpTo(me, lastRead);
        }
    }

    private boolean update(Account me, String timeline, long lastRead) {
        return jdbc.sql("update marker set last_read_id = ?, version = version + 1, updated_at = ?"
                                + " where account_id = ? and timeline = ?")
                        .params(Long.toString(lastRead), clock.millis(), me.id(), timeline)
                        .update()
                == 1;
    }

    private void insert(Account me, String timeline, long lastRead) {
        try {
            jdbc.sql("insert into marker (account_id, timeline, last_read_id, version, updated_at)"
                            + " values (?, ?, ?, 1, ?)")
                    .params(me.id(), timeline, Long.toString(lastRead), clock.millis())
                    .update();
        } catch (DuplicateKeyException e) {
            // Another device was quicker.
            update(me, timeline, lastRead);
        }
    }
}
