package io.feedkit.examples.microblog;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** What tests of statuses have in common. */
public abstract class StatusCalls extends MicroblogTest {

    private static final Pattern LINK = Pattern.compile("<http://[^/]*([^>]*)>; rel=\"(\\w+)\"");

    protected JsonNode post(String token, String text) throws IOException, InterruptedException {
        return json(form("/api/v1/statuses", token, Map.of("status", text)));
    }

    protected JsonNode reply(String token, String text, String parent) throws IOException, InterruptedException {
        return json(form("/api/v1/statuses", token, Map.of("status", text, "in_reply_to_id", parent)));
    }

    /** Favourites, boosts and so on. */
    protected HttpResponse<String> act(String token, String status, String action)
            throws IOException, InterruptedException {
        return send("POST", "/api/v1/statuses/" + status + "/" + action, token, "");
    }

    protected void follow(String token, String account) throws IOException, InterruptedException {
        send("POST", "/api/v1/accounts/" + account + "/follow", token, "");
    }

    protected static String id(JsonNode json) {
        return json.get("id").stringValue();
    }

    protected List<String> ids(HttpResponse<String> response) {
        return json(response).valueStream().map(StatusCalls::id).toList();
    }

    protected List<String> ids(String path, String token) throws IOException, InterruptedException {
        return ids(get(path, token));
    }

    /** The address of a link, without the server. */
    protected static Optional<String> link(HttpResponse<String> response, String rel) {
        return response.headers().firstValue("Link").stream()
                .flatMap(header -> LINK.matcher(header).results())
                .filter(found -> found.group(2).equals(rel))
                .map(found -> found.group(1))
                .findFirst();
    }

    /** The names of the links in their order. */
    protected static List<String> links(HttpResponse<String> response) {
        return response.headers().firstValue("Link").stream()
                .flatMap(header -> LINK.matcher(header).results())
                .map((MatchResult found) -> found.group(2))
                .toList();
    }

    /** The ids of all pages, as a client gets them that follows the links. */
    protected List<List<String>> walk(String path, String token, String rel) throws IOException, InterruptedException {
        List<List<String>> pages = new ArrayList<>();
        Optional<String> next = Optional.of(path);
        while (next.isPresent()) {
            HttpResponse<String> page = get(next.get(), token);
            pages.add(ids(page));
            next = link(page, rel);
        }
        return pages;
    }

    protected static List<String> together(List<List<String>> pages, Function<List<String>, List<String>> order) {
        return pages.stream().flatMap(page -> order.apply(page).stream()).toList();
    }
}
