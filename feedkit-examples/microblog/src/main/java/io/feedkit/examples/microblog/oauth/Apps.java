package io.feedkit.examples.microblog.oauth;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of apps. */
@Repository
class Apps {

    private final JdbcClient jdbc;

    Apps(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    App register(String name, String redirectUris, String scopes, String website) {
        App app = new App(Secrets.random(), Secrets.random(), name, redirectUris, scopes, website);
        jdbc.sql("insert into oauth_app (client_id, client_secret, name, redirect_uris, scopes, website)"
                        + " values (?, ?, ?, ?, ?, ?)")
                .params(app.clientId(), app.clientSecret(), name, redirectUris, scopes, website)
                .update();
        return app;
    }

    Optional<App> find(String clientId) {
        return jdbc.sql("select client_id, client_secret, name, redirect_uris, scopes, website from oauth_app"
                        + " where client_id = ?")
                .param(clientId)
                .query(App.class)
                .optional();
    }
}
