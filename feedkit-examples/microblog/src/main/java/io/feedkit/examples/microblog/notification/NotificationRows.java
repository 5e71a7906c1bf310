package io.feedkit.examples.microblog.notification;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of notifications. */
@Repository
class NotificationRows {

    private static final String COLUMNS = "select id, account_id, type, from_account_id, status_id from notification ";

    /** A statement takes no more parameters than some ten thousand. */
    private static final int DELETED_AT_ONCE = 1000;

    private final JdbcClient jdbc;

    NotificationRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private static Notification notification(ResultSet row, int number) throws SQLException {
        return new Notification(
                row.getLong("id"),
                row.getLong("account_id"),
                row.getString("type"),
                row.getLong("from_account_id"),
                Optional.ofNullable(row.getObject("status_id", Long.class)));
    }

    void insert(Notification notification) {
        jdbc.sql("insert into notification (id, account_id, type, from_account_id, status_id) values (?, ?, ?, ?, ?)")
                .param(notification.id())
                .param(notification.accountId())
                .param(notification.type())
                .param(notification.fromAccountId())
                .param(notification.statusId().orElse(null))
                .update();
    }

    List<Notification> byIds(Collection<String> ids) {
        return jdbc.sql(COLUMNS + "where id in (:ids)")
                .param("ids", ids.stream().map(Long::valueOf).toList())
                .query(NotificationRows::notification)
                .list();
    }

    Optional<Notification> find(long account, long id) {
        return jdbc.sql(COLUMNS + "where account_id = ? and id = ?")
                .params(account, id)
                .query(NotificationRows::notification)
                .optional();
    }

    /** The notifications about a status, in the order of their accounts, so that counters are locked in one order. */
    List<Notification> about(long status) {
        return jdbc.sql(COLUMNS + "where status_id = ? order by account_id, id")
                .param(status)
                .query(NotificationRows::notification)
                .list();
    }

    List<Notification> of(long account) {
        return jdbc.sql(COLUMNS + "where account_id = ?")
                .param(account)
                .query(NotificationRows::notification)
                .list();
    }

    /** The notifications of one account about what another did. */
    List<Notification> find(String type, long account, long from, Optional<Long> status) {
        return jdbc.sql(COLUMNS + "where account_id = :account and from_account_id = :from and type = :type"
                        + (status.isPresent() ? " and status_id = :status" : ""))
                .param("account", account)
                .param("from", from)
                .param("type", type)
                .param("status", status.orElse(null))
                .query(NotificationRows::notification)
                .list();
    }

    boolean hasNewer(long account, long id) {
        return jdbc.sql("select exists (select 1 from notification where account_id = ? and id > ?)")
                .params(account, id)
                .query(Boolean.class)
                .single();
    }

    void delete(List<Notification> notifications) {
        for (int from = 0; from < notifications.size(); from += DELETED_AT_ONCE) {
            List<Notification> some =
                    notifications.subList(from, Math.min(notifications.size(), from + DELETED_AT_ONCE));
            jdbc.sql("delete from notification where id in (:ids)")
                    .param("ids", some.stream().map(Notification::id).toList())
                    .update();
        }
    }
}
