package io.feedkit.examples.microblog.account;

import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.Snowflakes;
import io.feedkit.unread.Announcements;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Repository;

/** The table of accounts. */
@Repository
public class Accounts {

    private static final String COLUMNS = "select id, username, display_name, note, created_at from account ";

    private final JdbcClient jdbc;
    private final PasswordEncoder passwords;
    private final Announcements announcements;
    private final Snowflakes ids;

    Accounts(JdbcClient jdbc, PasswordEncoder passwords, Announcements announcements, Snowflakes ids) {
        this.jdbc = jdbc;
        this.passwords = passwords;
        this.announcements = announcements;
        this.ids = ids;
    }

    public Optional<Account> find(long id) {
        return jdbc.sql(COLUMNS + "where id = ?").param(id).query(Account.class).optional();
    }

    public Optional<Account> findByName(String username) {
        return jdbc.sql(COLUMNS + "where username = ?")
                .param(username.toLowerCase(Locale.ROOT))
                .query(Account.class)
                .optional();
    }

    /** The accounts of a page, in one query. Those that do not exist are left out. */
    public Map<String, Account> byKeys(Set<String> keys) {
        if (keys.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql(COLUMNS + "where id in (:ids)")
                .param("ids", keys.stream().map(Long::valueOf).toList())
                .query(Account.class)
                .list()
                .stream()
                .collect(Collectors.toMap(Account::key, account -> account));
    }

    /** Accounts whose name, or a word of whose display name, begins so. */
    List<Account> search(String beginning, int limit) {
        String pattern = beginning.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1") + "%";
        return jdbc.sql(COLUMNS + "where username like :name or lower(display_name) like :name"
                        + " or lower(display_name) like :word order by username limit :limit")
                .param("name", pattern)
                .param("word", "% " + pattern)
                .param("limit", limit)
                .query(Account.class)
                .list();
    }

    /** How many accounts there are. */
    public long count() {
        return jdbc.sql("select count(*) from account").query(Long.class).single();
    }

    /** Opens an account. An empty password permits no log-in. */
    public Account create(String username, String email, String displayName, String password, String note) {
        long id = ids.next();
        Account account = new Account(id, username.toLowerCase(Locale.ROOT), displayName, note, Snowflakes.millis(id));
        try {
            jdbc.sql("insert into account (id, username, email, display_name, note, password_hash, created_at)"
                            + " values (?, ?, ?, ?, ?, ?, ?)")
                    .params(
                            id,
                            account.username(),
                            email.toLowerCase(Locale.ROOT),
                            displayName,
                            note,
                            password.isEmpty() ? "" : passwords.encode(password),
                            account.createdAt())
                    .update();
        } catch (DuplicateKeyException e) {
            throw ApiException.unprocessable(
                    findByName(username).isPresent()
                            ? "Username has already been taken"
                            : "Email has already been taken");
        }
        announcements.enter(account.key()); // earlier announcements are not news
        return account;
    }

    Account update(Account account) {
        jdbc.sql("update account set display_name = ?, note = ? where id = ?")
                .params(account.displayName(), account.note(), account.id())
                .update();
        return account;
    }
}
