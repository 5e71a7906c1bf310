package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of tokens. It has their hashes: who reads it cannot use them. */
@Repository
public class Tokens {

    private final JdbcClient jdbc;
    private final Clock clock;

    Tokens(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** The account of a token. */
    public Optional<Account> account(String token) {
        return find(token).flatMap(TokenHolder::account);
    }

    Optional<TokenHolder> find(String token) {
        return jdbc.sql("select t.client_id, t.scopes, a.id, a.username, a.display_name, a.note, a.created_at"
                        + " from oauth_token t left join account a on a.id = t.account_id where t.hash = ?")
                .param(Secrets.hash(token))
                .query((row, number) -> holder(row))
                .optional();
    }

    private static TokenHolder holder(ResultSet row) throws SQLException {
        long id = row.getLong("id");
        Optional<Account> account = row.wasNull()
                ? Optional.empty()
                : Optional.of(new Account(
                        id,
                        row.getString("username"),
                        row.getString("display_name"),
                        row.getString("note"),
                        row.getLong("created_at")));
        return new TokenHolder(row.getString("client_id"), account, row.getString("scopes"));
    }

    TokenAnswer issue(String clientId, Optional<Long> account, String scopes) {
        String token = Secrets.random();
        long now = clock.millis();
        insert(token, clientId, account, scopes, now);
        return TokenAnswer.of(token, scopes, now);
    }

    /** Makes a known token valid, for accounts to try things with. */
    public void preset(String token, Account account) {
        revoke(token);
        insert(token, "preset", Optional.of(account.id()), "read write follow", clock.millis());
    }

    private void insert(String token, String clientId, Optional<Long> account, String scopes, long now) {
        jdbc.sql("insert into oauth_token (hash, client_id, account_id, scopes, created_at) values (?, ?, ?, ?, ?)")
                .param(Secrets.hash(token))
                .param(clientId)
                .param(account.orElse(null))
                .param(scopes)
                .param(now)
                .update();
    }

    /** Makes a token invalid. Idempotent. */
    public void revoke(String token) {
        jdbc.sql("delete from oauth_token where hash = ?")
                .param(Secrets.hash(token))
                .update();
    }
}
