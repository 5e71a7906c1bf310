package io.feedkit.examples.microblog.oauth;

import java.util.List;

/** A client program that has registered itself. */
record App(String clientId, String clientSecret, String name, String redirectUris, String scopes, String website) {

    static final String OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

    List<String> redirects() {
        return redirectUris.lines().toList();
    }
}
