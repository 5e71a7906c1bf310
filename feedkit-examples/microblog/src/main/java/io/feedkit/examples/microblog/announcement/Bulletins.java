package io.feedkit.examples.microblog.announcement;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.web.JoinedCounters;
import io.feedkit.examples.microblog.web.Snowflakes;
import io.feedkit.unread.Announcements;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The texts of announcements. FeedKit counts who has not seen them, and brings them to open pages. */
@Repository
public class Bulletins {

    /** FeedKit's author of all announcements, and the name of their red dot. */
    public static final String AUTHOR = "announcements";

    private static final int NEWEST = 20;

    private final JdbcClient jdbc;
    private final FeedEngine feed;
    private final JoinedCounters counters;
    private final Snowflakes ids;

    Bulletins(JdbcClient jdbc, FeedEngine feed, JoinedCounters counters, Snowflakes ids) {
        this.jdbc = jdbc;
        this.feed = feed;
        this.counters = counters;
        this.ids = ids;
    }

    private record Row(long id, String text, long publishedAt, boolean dismissed) {

        AnnouncementView view(boolean read) {
            return AnnouncementView.of(id, text, publishedAt, read);
        }
    }

    /** Publishes an announcement to all accounts: the row, FeedKit's post and the counts together, or none of them. */
    @Transactional
    public void publish(String text) {
        long id = ids.next();
        jdbc.sql("insert into announcement (id, text, published_at) values (?, ?, ?)")
                .params(id, text, Snowflakes.millis(id))
                .update();
        feed.publish(Post.of(AUTHOR, Long.toString(id), Snowflakes.millis(id)));
        counters.get().announcements().add(Long.toString(id), Announcements.EVERYBODY);
        counters.get().redDots().add(AUTHOR);
    }

    public Optional<AnnouncementView> find(String id) {
        return jdbc.sql("select id, text, published_at, false as dismissed from announcement where id = ?")
                .param(Long.valueOf(id))
                .query(Row.class)
                .optional()
                .map(row -> row.view(false));
    }

    /** The newest announcements. What is older than the account is no news to it. */
    List<AnnouncementView> list(Account me) {
        counters.get().announcements().enter(me.key());
        return rows(me).stream().map(row -> row.view(isRead(row, me))).toList();
    }

    private static boolean isRead(Row row, Account me) {
        return row.dismissed() || row.publishedAt() < me.createdAt();
    }

    private List<Row> rows(Account me) {
        return jdbc.sql("select a.id, a.text, a.published_at, d.account_id is not null as dismissed"
                        + " from announcement a left join announcement_dismissal d"
                        + " on d.announcement_id = a.id and d.account_id = ? order by a.id desc limit ?")
                .params(me.id(), NEWEST)
                .query(Row.class)
                .list();
    }

    /** Returns whether there is such an announcement. With the last one read, the dot goes. */
    boolean dismiss(Account me, long id) {
        if (find(Long.toString(id)).isEmpty()) {
            return false;
        }
        jdbc.sql(
                        "insert into announcement_dismissal (account_id, announcement_id) values (?, ?) on conflict do nothing")
                .params(me.id(), id)
                .update();
        if (rows(me).stream().allMatch(row -> isRead(row, me))) {
            counters.get().announcements().markAllSeen(me.key());
            counters.get().redDots().markSeen(me.key(), AUTHOR);
        }
        return true;
    }
}
