package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Whose token the present request has. */
public final class CurrentAccount {

    private CurrentAccount() {}

    public static Optional<Account> find() {
        return holder().flatMap(TokenHolder::account);
    }

    static Optional<TokenHolder> holder() {
        return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                .map(Authentication::getPrincipal)
                .filter(TokenHolder.class::isInstance)
                .map(TokenHolder.class::cast);
    }
}
