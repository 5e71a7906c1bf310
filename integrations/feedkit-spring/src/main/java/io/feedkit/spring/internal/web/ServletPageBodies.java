package io.feedkit.spring.internal.web;

import io.feedkit.FeedPage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Pages that handlers of Spring MVC return, with links. */
@ControllerAdvice
public final class ServletPageBodies implements ResponseBodyAdvice<Object> {

    public ServletPageBodies() {}

    @Override
    public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returnType,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converterType,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        return body instanceof FeedPage<?> page
                ? FeedPageBody.of(page, (name, cursor) -> PageLinks.link(request.getURI(), name, cursor))
                : body;
    }
}
