package io.feedkit.examples.microblog.oauth;

import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.stereotype.Component;

/** Who may log in, by username or mail address. The name of a login is the account's id. */
@Component
class Users implements UserDetailsService {

    private final JdbcClient jdbc;

    Users(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Login(long id, String passwordHash) {}

    @Override
    public UserDetails loadUserByUsername(String name) {
        String lower = name.strip().toLowerCase(Locale.ROOT);
        Login login = jdbc.sql("select id, password_hash from account"
                        + " where (username = ? or email = ?) and password_hash <> ''")
                .params(lower, lower)
                .query(Login.class)
                .optional()
                .orElseThrow(() -> new UsernameNotFoundException("no such login"));
        return User.withUsername(Long.toString(login.id()))
                .password(login.passwordHash())
                .build();
    }
}
