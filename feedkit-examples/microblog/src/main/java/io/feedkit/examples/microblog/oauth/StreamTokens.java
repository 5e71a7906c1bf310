package io.feedkit.examples.microblog.oauth;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;

/** Finds tokens in headers. Browsers cannot set headers of streams, so there it may be in other places. */
final class StreamTokens implements BearerTokenResolver {

    private static final String STREAMING = "/api/v1/streaming";

    private final BearerTokenResolver headers = new DefaultBearerTokenResolver();

    @Override
    public @Nullable String resolve(HttpServletRequest request) {
        String token = headers.resolve(request);
        if (token != null || !request.getRequestURI().startsWith(STREAMING)) {
            return token;
        }
        String parameter = request.getParameter("access_token");
        return parameter != null ? parameter : request.getHeader("Sec-WebSocket-Protocol");
    }
}
