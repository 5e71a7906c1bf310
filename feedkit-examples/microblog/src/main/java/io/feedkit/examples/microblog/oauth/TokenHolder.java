package io.feedkit.examples.microblog.oauth;

import io.feedkit.examples.microblog.account.Account;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/** Whom a token stands for: an app, mostly for an account. */
final class TokenHolder implements OAuth2AuthenticatedPrincipal {

    private final String clientId;
    private final Optional<Account> account;
    private final String scopes;

    TokenHolder(String clientId, Optional<Account> account, String scopes) {
        this.clientId = clientId;
        this.account = account;
        this.scopes = scopes;
    }

    String clientId() {
        return clientId;
    }

    Optional<Account> account() {
        return account;
    }

    String scopes() {
        return scopes;
    }

    @Override
    public String getName() {
        return account.map(Account::key).orElse(clientId);
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of("scope", scopes);
    }

    @Override
    public Collection<? extends GrantedAuthority> getAuthorities() {
        return List.of();
    }
}
