package io.feedkit.spring.internal.web;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.util.stream.Stream;

/** Links to further pages: the address of the request, with another cursor. */
final class PageLinks {

    private PageLinks() {}

    /**
     * A link without scheme and host, which a proxy in front of the application may have changed. Other parameters stay
     * as the client wrote them.
     */
    static String link(URI request, String parameter, String cursor) {
        String query = request.getRawQuery();
        Stream<String> others = query == null ? Stream.empty() : Stream.of(query.split("&", -1));
        return request.getRawPath() + "?"
                + Stream.concat(others.filter(PageLinks::isKept), Stream.of(parameter + "=" + cursor))
                        .collect(joining("&"));
    }

    private static boolean isKept(String parameter) {
        String name = parameter.split("=", 2)[0];
        return !name.isEmpty() && !name.equals(PageParameters.OLDER) && !name.equals(PageParameters.NEWER);
    }
}
