package io.feedkit.examples.microblog.status;

import io.feedkit.Post;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of statuses. */
@Repository
public class StatusRows {

    private static final String COLUMNS =
            "select id, account_id, text, in_reply_to_id, in_reply_to_account_id, reblog_of_id from status ";

    /** The longest thread upwards and downwards, as Mastodon limits it. */
    private static final int MOST_IN_THREAD = 4096;

    private final JdbcClient jdbc;

    StatusRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private static Status status(ResultSet row, int number) throws SQLException {
        return new Status(
                row.getLong("id"),
                row.getLong("account_id"),
                row.getString("text"),
                Optional.ofNullable(row.getObject("in_reply_to_id", Long.class)),
                Optional.ofNullable(row.getObject("in_reply_to_account_id", Long.class)),
                Optional.ofNullable(row.getObject("reblog_of_id", Long.class)));
    }

    void insert(Status status, Optional<String> idempotencyKey) {
        jdbc.sql("insert into status (id, account_id, text, in_reply_to_id, in_reply_to_account_id, reblog_of_id,"
                        + " idempotency_key) values (?, ?, ?, ?, ?, ?, ?)")
                .param(status.id())
                .param(status.accountId())
                .param(status.text())
                .param(status.inReplyToId().orElse(null))
                .param(status.inReplyToAccountId().orElse(null))
                .param(status.reblogOfId().orElse(null))
                .param(idempotencyKey.orElse(null))
                .update();
    }

    public Optional<Status> find(long id) {
        return jdbc.sql(COLUMNS + "where id = ?")
                .param(id)
                .query(StatusRows::status)
                .optional();
    }

    /** How many statuses there are, with boosts. */
    public long count() {
        return jdbc.sql("select count(*) from status").query(Long.class).single();
    }

    /** Finds a status, and locks it against deletion until the transaction ends. */
    Optional<Status> lock(long id) {
        return jdbc.sql(COLUMNS + "where id = ? for update")
                .param(id)
                .query(StatusRows::status)
                .optional();
    }

    Optional<Status> find(long account, String idempotencyKey) {
        return jdbc.sql(COLUMNS + "where account_id = ? and idempotency_key = ?")
                .params(account, idempotencyKey)
                .query(StatusRows::status)
                .optional();
    }

    /** The statuses of a page, in one query. Those that are gone are left out. */
    public Map<Post, Status> load(List<Post> posts) {
        return byIds(posts.stream().map(Post::id).toList()).stream()
                .collect(Collectors.toMap(Status::post, Function.identity()));
    }

    public List<Status> byIds(Collection<String> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.sql(COLUMNS + "where id in (:ids)")
                        .param("ids", ids.stream().map(Long::valueOf).toList())
                        .query(StatusRows::status)
                        .list();
    }

    /** The statuses of all accounts without boosts: those right below the end, or right above the start. */
    public List<Status> newest(long above, long below, boolean upwards, int limit) {
        return jdbc.sql(COLUMNS + "where id > ? and id < ? and reblog_of_id is null order by id "
                        + (upwards ? "asc" : "desc") + " limit ?")
                .params(above, below, limit)
                .query(StatusRows::status)
                .list();
    }

    /** A page of a home feed by a join with a table of follows: what an application does without FeedKit. */
    public List<Status> home(String follows, long account, long below, int limit) {
        return jdbc.sql("select s.id, s.account_id, s.text, s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id"
                        + " from status s join account a on a.id = s.account_id join ("
                        + "select cast(author as bigint) as id from " + follows + " where reader = :reader"
                        + " union all select cast(:account as bigint)) f on f.id = s.account_id"
                        + " where s.id < :below order by s.id desc limit :limit")
                .param("reader", Long.toString(account))
                .param("account", account)
                .param("below", below)
                .param("limit", limit)
                .query(StatusRows::status)
                .list();
    }

    /** What a status replies to, the root first. */
    List<Status> ancestors(Status status) {
        return thread(status, "s.id = t.in_reply_to_id");
    }

    /** The replies to a status, and those to them, the oldest first. */
    List<Status> descendants(Status status) {
        return thread(status, "s.in_reply_to_id = t.id");
    }

    private List<Status> thread(Status status, String step) {
        return jdbc.sql("with recursive thread (id, in_reply_to_id) as ("
                        + "select id, in_reply_to_id from status where id = :id"
                        + " union all select s.id, s.in_reply_to_id from status s join thread t on " + step + ") "
                        + COLUMNS + "where id <> :id and id in (select id from thread) order by id limit "
                        + MOST_IN_THREAD)
                .param("id", status.id())
                .query(StatusRows::status)
                .list();
    }

    Optional<Status> boostOf(long account, long original) {
        return jdbc.sql(COLUMNS + "where account_id = ? and reblog_of_id = ?")
                .params(account, original)
                .query(StatusRows::status)
                .optional();
    }

    /** The boosts of a status, the newest first. */
    List<Status> boosts(long original, int limit) {
        return jdbc.sql(COLUMNS + "where reblog_of_id = ? order by id desc limit ?")
                .params(original, limit)
                .query(StatusRows::status)
                .list();
    }

    /** Some statuses, and the boosts of them that are between two ids: what can stand above a boost. */
    List<Status> withBoosts(Collection<Long> originals, long from, long to) {
        return jdbc.sql(COLUMNS + "where id in (:ids) union all " + COLUMNS
                        + "where reblog_of_id in (:ids) and id between :from and :to")
                .param("ids", originals)
                .param("from", from)
                .param("to", to)
                .query(StatusRows::status)
                .list();
    }

    /** Which of some statuses an account has boosted. */
    Set<String> boosted(long account, Set<String> among) {
        return jdbc
                .sql("select reblog_of_id from status where account_id = :account and reblog_of_id in (:ids)")
                .param("account", account)
                .param("ids", among.stream().map(Long::valueOf).toList())
                .query(Long.class)
                .list()
                .stream()
                .map(String::valueOf)
                .collect(Collectors.toSet());
    }

    /** The ids of the accounts that have some names. */
    Map<String, Long> accounts(Set<String> names) {
        if (names.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql("select username, id from account where username in (:names)")
                .param("names", names)
                .query((row, number) -> Map.entry(row.getString(1), row.getLong(2)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Deletes a status with its boosts. Replies stay, without what they reply to. */
    void delete(long id) {
        jdbc.sql("update status set in_reply_to_id = null where in_reply_to_id = ?")
                .param(id)
                .update();
        jdbc.sql("delete from status where id = ? or reblog_of_id = ?")
                .params(id, id)
                .update();
    }
}
