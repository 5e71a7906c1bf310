package io.feedkit.examples.microblog.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The header {@code Link} of a list, by which clients page. */
public final class PageLinks {

    private PageLinks() {}

    /** Without ids, as on an empty page, there is no header: clients fail on an empty one. */
    public static HttpHeaders of(HttpServletRequest request, Optional<String> nextMaxId, Optional<String> prevMinId) {
        String links = Stream.of(
                        nextMaxId.map(id -> link(request, "max_id", id, "next")), // some clients read only the first
                        prevMinId.map(id -> link(request, "min_id", id, "prev")))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        HttpHeaders headers = new HttpHeaders();
        if (!links.isEmpty()) {
            headers.set(HttpHeaders.LINK, links);
        }
        return headers;
    }

    private static String link(HttpServletRequest request, String parameter, String id, String rel) {
        String url = ServletUriComponentsBuilder.fromRequest(request)
                .replaceQueryParam("max_id")
                .replaceQueryParam("since_id")
                .replaceQueryParam("min_id")
                .queryParam(parameter, id)
                .build()
                .toUriString();
        return "<" + url + ">; rel=\"" + rel + "\"";
    }
}
