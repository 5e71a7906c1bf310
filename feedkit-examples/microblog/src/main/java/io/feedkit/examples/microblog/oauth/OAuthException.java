package io.feedkit.examples.microblog.oauth;

import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** A refusal as RFC 6749 has it. */
final class OAuthException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String error;

    OAuthException(HttpStatus status, String error, String description) {
        super(description);
        this.status = status;
        this.error = error;
    }

    static OAuthException invalidClient() {
        return new OAuthException(
                HttpStatus.UNAUTHORIZED,
                "invalid_client",
                "Client authentication failed due to unknown client, no client authentication included, or unsupported"
                        + " authentication method.");
    }

    static OAuthException invalidGrant() {
        return new OAuthException(
                HttpStatus.BAD_REQUEST,
                "invalid_grant",
                "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI"
                        + " used in the authorization request, or was issued to another client.");
    }

    static OAuthException invalidRequest(String description) {
        return new OAuthException(HttpStatus.BAD_REQUEST, "invalid_request", description);
    }

    static OAuthException invalidScope() {
        return new OAuthException(
                HttpStatus.BAD_REQUEST, "invalid_scope", "The requested scope is invalid, unknown, or malformed.");
    }

    ResponseEntity<Map<String, String>> answer() {
        return ResponseEntity.status(status)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(Map.of("error", error, "error_description", String.valueOf(getMessage())));
    }
}
