package io.feedkit.examples.microblog.oauth;

/** A token as JSON. */
record TokenAnswer(String accessToken, String tokenType, String scope, long createdAt) {

    static TokenAnswer of(String token, String scopes, long createdMillis) {
        return new TokenAnswer(token, "Bearer", scopes, createdMillis / 1000);
    }
}
