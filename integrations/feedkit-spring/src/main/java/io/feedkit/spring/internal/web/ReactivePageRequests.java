package io.feedkit.spring.internal.web;

import io.feedkit.PageRequest;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/** Page requests as arguments of handlers in WebFlux. */
public final class ReactivePageRequests implements SyncHandlerMethodArgumentResolver {

    private final PageParameters parameters;

    public ReactivePageRequests(PageParameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType().equals(PageRequest.class);
    }

    @Override
    public PageRequest resolveArgumentValue(
            MethodParameter parameter, BindingContext context, ServerWebExchange exchange) {
        return parameters.read(exchange.getRequest().getQueryParams()::getFirst);
    }
}
