package io.feedkit.examples.microblog.oauth;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The table of authorization codes, which are good for one token each. */
@Repository
class Codes {

    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final JdbcClient jdbc;
    private final Clock clock;

    Codes(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    record Code(
            String clientId, long accountId, String redirectUri, String scopes, String codeChallenge, long expiresAt) {

        /** Whether the verifier matches the challenge (RFC 7636). So a stolen code alone is useless. */
        boolean isProvenBy(@Nullable String verifier) {
            return codeChallenge.isEmpty()
                    ? verifier == null
                    : verifier != null && Secrets.same(Secrets.challenge(verifier), codeChallenge);
        }
    }

    String issue(String clientId, long account, String redirectUri, String scopes, String challenge) {
        String code = Secrets.random();
        jdbc.sql("delete from oauth_code where expires_at < ?")
                .param(clock.millis())
                .update();
        jdbc.sql("insert into oauth_code"
                        + " (hash, client_id, account_id, redirect_uri, scopes, code_challenge, expires_at)"
                        + " values (?, ?, ?, ?, ?, ?, ?)")
                .params(
                        Secrets.hash(code),
                        clientId,
                        account,
                        redirectUri,
                        scopes,
                        challenge,
                        clock.millis() + LIFETIME.toMillis())
                .update();
        return code;
    }

    /** Takes a code, whatever comes of it: a second try finds none. */
    @Transactional
    public Optional<Code> take(String code) {
        String hash = Secrets.hash(code);
        Optional<Code> found = jdbc.sql("select client_id, account_id, redirect_uri, scopes, code_challenge, expires_at"
                        + " from oauth_code where hash = ?")
                .param(hash)
                .query(Code.class)
                .optional();
        int deleted =
                jdbc.sql("delete from oauth_code where hash = ?").param(hash).update();
        return found.filter(row -> deleted == 1 && row.expiresAt() > clock.millis());
    }
}
