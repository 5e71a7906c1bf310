package io.feedkit.spring.internal.web;

import io.feedkit.FeedPage;
import java.lang.reflect.Method;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseBodyResultHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Pages that handlers of WebFlux return, themselves or in a {@code Mono}, with links. */
public final class ReactivePageBodies implements HandlerResultHandler, Ordered {

    private static final MethodParameter BODY = bodyType();

    private final ResponseBodyResultHandler writer;

    public ReactivePageBodies(ResponseBodyResultHandler writer) {
        this.writer = writer;
    }

    @Override
    public int getOrder() {
        return writer.getOrder() - 1;
    }

    @Override
    public boolean supports(HandlerResult result) {
        ResolvableType type = result.getReturnType();
        Class<?> raw = type.resolve(Object.class);
        Class<?> page = Mono.class.isAssignableFrom(raw) ? type.getGeneric(0).resolve(Object.class) : raw;
        return FeedPage.class.isAssignableFrom(page) && writer.supports(result);
    }

    @Override
    public Mono<Void> handleResult(ServerWebExchange exchange, HandlerResult result) {
        URI request = exchange.getRequest().getURI();
        Object value = result.getReturnValue();
        Mono<?> page = value instanceof Mono<?> later ? later : Mono.justOrEmpty(value);
        Mono<FeedPageBody> body = page.cast(FeedPage.class)
                .map(found -> FeedPageBody.of(found, (name, cursor) -> PageLinks.link(request, name, cursor)));
        return writer.handleResult(exchange, new HandlerResult(result.getHandler(), body, BODY));
    }

    @SuppressWarnings("unused")
    private static @Nullable Mono<FeedPageBody> body() {
        return null;
    }

    private static MethodParameter bodyType() {
        try {
            Method method = ReactivePageBodies.class.getDeclaredMethod("body");
            return new MethodParameter(method, -1);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
