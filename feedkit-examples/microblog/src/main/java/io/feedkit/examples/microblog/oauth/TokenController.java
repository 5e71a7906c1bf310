package io.feedkit.examples.microblog.oauth;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Gives and takes tokens. */
@RestController
@RequestMapping("/oauth")
class TokenController {

    private final Apps apps;
    private final Codes codes;
    private final Tokens tokens;
    private final AuthenticationManager logins;

    TokenController(Apps apps, Codes codes, Tokens tokens, AuthenticationManager logins) {
        this.apps = apps;
        this.codes = codes;
        this.tokens = tokens;
        this.logins = logins;
    }

    record Grant(
            @Nullable String grantType,
            @Nullable String clientId,
            @Nullable String clientSecret,
            @Nullable String scope,
            @Nullable String username,
            @Nullable String password,
            @Nullable String code,
            @Nullable String redirectUri,
            @Nullable String codeVerifier,
            @Nullable String token) {}

    @PostMapping("/token")
    ResponseEntity<TokenAnswer> token(
            @RequestBody Grant grant,
            @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String authorization) {
        App app = app(grant, authorization);
        TokenAnswer answer = switch (Objects.requireNonNullElse(grant.grantType(), "")) {
            case "password" -> byPassword(app, grant);
            case "authorization_code" -> byCode(app, grant);
            case "client_credentials" -> tokens.issue(app.clientId(), Optional.empty(), scopes(app, grant));
            case "" -> throw OAuthException.invalidRequest("Missing required parameter: grant_type.");
            default ->
                throw new OAuthException(
                        HttpStatus.BAD_REQUEST,
                        "unsupported_grant_type",
                        "The authorization grant type is not supported by the authorization server.");
        };
        return ResponseEntity.ok().header(HttpHeaders.CACHE_CONTROL, "no-store").body(answer);
    }

    /** A token that was not valid in the first place is no error. */
    @PostMapping("/revoke")
    Map<String, String> revoke(
            @RequestBody Grant grant,
            @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String authorization) {
        App app = app(grant, authorization);
        String token = Objects.requireNonNullElse(grant.token(), "");
        tokens.find(token)
                .filter(holder -> holder.clientId().equals(app.clientId()))
                .ifPresent(holder -> tokens.revoke(token));
        return Map.of();
    }

    private TokenAnswer byPassword(App app, Grant grant) {
        String scopes = scopes(app, grant);
        try {
            String account = logins.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(
                            Objects.requireNonNullElse(grant.username(), ""),
                            Objects.requireNonNullElse(grant.password(), "")))
                    .getName();
            return tokens.issue(app.clientId(), Optional.of(Long.valueOf(account)), scopes);
        } catch (AuthenticationServiceException e) {
            throw e; // the database is down
        } catch (AuthenticationException e) {
            throw OAuthException.invalidGrant();
        }
    }

    private TokenAnswer byCode(App app, Grant grant) {
        Codes.Code code = codes.take(Objects.requireNonNullElse(grant.code(), ""))
                .filter(taken -> taken.clientId().equals(app.clientId()))
                .filter(taken -> taken.redirectUri().equals(grant.redirectUri()))
                .filter(taken -> taken.isProvenBy(grant.codeVerifier()))
                .orElseThrow(OAuthException::invalidGrant);
        return tokens.issue(app.clientId(), Optional.of(code.accountId()), code.scopes());
    }

    private static String scopes(App app, Grant grant) {
        String wanted = grant.scope() == null || grant.scope().isBlank() ? Scopes.DEFAULT : grant.scope();
        String scopes = String.join(" ", Scopes.words(wanted));
        if (!Scopes.include(app.scopes(), scopes)) {
            throw OAuthException.invalidScope();
        }
        return scopes;
    }

    private App app(Grant grant, @Nullable String authorization) {
        String id = Objects.requireNonNullElse(grant.clientId(), "");
        String secret = Objects.requireNonNullElse(grant.clientSecret(), "");
        if (authorization != null && authorization.startsWith("Basic ")) {
            String[] parts = decoded(authorization).split(":", 2);
            id = parts[0];
            secret = parts.length == 2 ? parts[1] : "";
        }
        String given = secret;
        return apps.find(id)
                .filter(app -> Secrets.same(app.clientSecret(), given))
                .orElseThrow(OAuthException::invalidClient);
    }

    private static String decoded(String authorization) {
        try {
            byte[] bytes = Base64.getDecoder().decode(authorization.substring("Basic ".length()));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw OAuthException.invalidClient();
        }
    }

    @ExceptionHandler
    ResponseEntity<Map<String, String>> refused(OAuthException e) {
        return e.answer();
    }
}
