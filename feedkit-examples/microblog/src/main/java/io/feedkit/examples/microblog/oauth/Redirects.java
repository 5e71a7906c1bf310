package io.feedkit.examples.microblog.oauth;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.springframework.web.util.UriComponentsBuilder;

/** Where a browser goes with a code. */
final class Redirects {

    /** A browser would run these. */
    private static final Set<String> DANGEROUS = Set.of("javascript", "data", "vbscript", "file");

    private Redirects() {}

    static boolean isLegal(String uri) {
        try {
            URI parsed = URI.create(uri);
            return parsed.isAbsolute()
                    && !DANGEROUS.contains(parsed.getScheme().toLowerCase(Locale.ROOT))
                    && parsed.getFragment() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static URI with(String uri, String name, String value, String state) {
        UriComponentsBuilder builder = UriComponentsBuilder.fromUriString(uri).queryParam(name, "{value}");
        return state.isEmpty()
                ? builder.encode().buildAndExpand(value).toUri()
                : builder.queryParam("state", "{state}")
                        .encode()
                        .buildAndExpand(value, state)
                        .toUri();
    }
}
