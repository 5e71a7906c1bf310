package io.feedkit.spring.internal.web;

import java.net.URI;
import org.springframework.web.util.UriComponentsBuilder;

/** Links to further pages: the address of the request, with another cursor. */
final class PageLinks {

    private PageLinks() {}

    /** A link without scheme and host, which a proxy in front of the application may have changed. */
    static String link(URI request, String parameter, String cursor) {
        return UriComponentsBuilder.newInstance()
                .path(request.getRawPath())
                .query(request.getRawQuery())
                .replaceQueryParam(PageParameters.OLDER)
                .replaceQueryParam(PageParameters.NEWER)
                .replaceQueryParam(parameter, cursor)
                .build(true)
                .toUriString();
    }
}
