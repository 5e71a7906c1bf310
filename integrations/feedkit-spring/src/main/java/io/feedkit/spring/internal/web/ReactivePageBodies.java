package io.feedkit.spring.internal.web;

import io.feedkit.FeedPage;
import java.lang.reflect.Method;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseBodyResultHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityResultHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Pages that handlers of WebFlux return, themselves, in a {@code Mono}, or in a {@code ResponseEntity}, with links. */
public final class ReactivePageBodies implements HandlerResultHandler, Ordered {

    private static final MethodParameter BODY = resultOf("body");
    private static final MethodParameter ENTITY = resultOf("entity");

    private final ResponseBodyResultHandler bodies;
    private final ResponseEntityResultHandler entities;

    public ReactivePageBodies(ResponseBodyResultHandler bodies, ResponseEntityResultHandler entities) {
        this.bodies = bodies;
        this.entities = entities;
    }

    @Override
    public int getOrder() {
        return Math.min(bodies.getOrder(), entities.getOrder()) - 1;
    }

    @Override
    public boolean supports(HandlerResult result) {
        ResolvableType type = valueType(result);
        boolean entity = isEntity(type);
        return FeedPage.class.isAssignableFrom(raw(entity ? type.getGeneric(0) : type))
                && (entity ? entities.supports(result) : bodies.supports(result));
    }

    private static ResolvableType valueType(HandlerResult result) {
        ResolvableType type = result.getReturnType();
        return Mono.class.isAssignableFrom(raw(type)) ? type.getGeneric(0) : type;
    }

    private static boolean isEntity(ResolvableType type) {
        return ResponseEntity.class.isAssignableFrom(raw(type));
    }

    private static Class<?> raw(ResolvableType type) {
        return type.resolve(Object.class);
    }

    @Override
    public Mono<Void> handleResult(ServerWebExchange exchange, HandlerResult result) {
        URI request = exchange.getRequest().getURI();
        Object value = result.getReturnValue();
        Mono<?> returned = value instanceof Mono<?> later ? later : Mono.justOrEmpty(value);
        if (!isEntity(valueType(result))) {
            Mono<FeedPageBody> body = returned.map(page -> linked(page, request));
            return bodies.handleResult(exchange, new HandlerResult(result.getHandler(), body, BODY));
        }
        Mono<ResponseEntity<Object>> entity =
                returned.cast(ResponseEntity.class).map(found -> withLinks(found, request));
        return entities.handleResult(exchange, new HandlerResult(result.getHandler(), entity, ENTITY));
    }

    private static ResponseEntity<Object> withLinks(ResponseEntity<?> found, URI request) {
        Object page = found.getBody();
        return ResponseEntity.status(found.getStatusCode())
                .headers(found.getHeaders())
                .body(page == null ? null : linked(page, request));
    }

    private static FeedPageBody linked(Object page, URI request) {
        return FeedPageBody.of((FeedPage<?>) page, (name, cursor) -> PageLinks.link(request, name, cursor));
    }

    @SuppressWarnings("unused")
    private static @Nullable Mono<FeedPageBody> body() {
        return null;
    }

    @SuppressWarnings("unused")
    private static @Nullable Mono<ResponseEntity<FeedPageBody>> entity() {
        return null;
    }

    private static MethodParameter resultOf(String method) {
        try {
            Method found = ReactivePageBodies.class.getDeclaredMethod(method);
            return new MethodParameter(found, -1);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
