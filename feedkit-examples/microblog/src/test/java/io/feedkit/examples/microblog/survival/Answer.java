package io.feedkit.examples.microblog.survival;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer of the API.
 *
 * @param link the header {@code Link}
 * @param feedkit the header {@code X-FeedKit}
 * @param attempts how many requests it took; earlier ones may have had an effect
 * @param sentAt when the request that was answered began
 */
record Answer(int status, String body, Optional<String> link, Optional<String> feedkit, int attempts, long sentAt) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern NEXT = Pattern.compile("<https?://[^/]+([^>]+)>; rel=\"next\"");

    boolean isOk() {
        return status == 200;
    }

    JsonNode json() {
        return json(body);
    }

    static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    static String json(Object value) {
        return JSON.writeValueAsString(value);
    }

    /** The path of the next page, which any server answers. */
    Optional<String> next() {
        return link.map(NEXT::matcher).filter(Matcher::find).map(found -> found.group(1));
    }
}
