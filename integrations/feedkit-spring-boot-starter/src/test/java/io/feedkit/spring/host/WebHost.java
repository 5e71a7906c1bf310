package io.feedkit.spring.host;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spring.web.LiveStreams;
import io.feedkit.spring.web.ReactiveLiveStreams;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application with a web server, in MVC or WebFlux, and a client of it. */
final class WebHost implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private WebHost(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static WebHost start(WebApplicationType type, String... properties) {
        List<String> all = new ArrayList<>(List.of(HostApplication.NOTHING));
        all.removeIf(property -> property.startsWith("spring.main.web-application-type"));
        all.addAll(List.of("server.port=0", "server.address=127.0.0.1", "feedkit.store=memory"));
        all.addAll(List.of(properties));
        return new WebHost(new SpringApplicationBuilder(Application.class)
                .web(type)
                .properties(all.toArray(String[]::new))
                .run());
    }

    FeedEngine feed() {
        return context.getBean(FeedEngine.class);
    }

    HttpResponse<String> get(String path) {
        return ask("GET", path);
    }

    HttpResponse<String> ask(String method, String path) {
        return send(
                HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody()),
                BodyHandlers.ofString());
    }

    /** The lines of a stream of events. */
    HttpResponse<java.util.stream.Stream<String>> stream(String path, String lastEvent) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (!lastEvent.isEmpty()) {
            request.header("Last-Event-ID", lastEvent);
        }
        return send(request, BodyHandlers.ofLines());
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.build(), body);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Answers.class, Pages.class, ServletEvents.class, ReactivePages.class})
    static class Application {}

    @RestController
    static class Pages {

        private final FeedEngine feed;

        Pages(FeedEngine feed) {
            this.feed = feed;
        }

        @GetMapping("/feed")
        FeedPage<Post> page(PageRequest page) {
            return feed.read("ann", page);
        }

        @GetMapping("/new")
        long news(@RequestParam Cursor since) {
            return feed.countNewer("ann", since).count();
        }

        @GetMapping("/own")
        OwnPage own(PageRequest page) {
            FeedPage<Post> found = feed.read("ann", page);
            return new OwnPage(found.items().size(), found.newer());
        }

        @GetMapping("/wrapped")
        String wrapped() {
            throw new OrderRefused(new StoreUnavailableException("inbox.slice", null));
        }

        @GetMapping("/illegal")
        String illegal() {
            throw new OrderRefused(new InvalidRequestException("limit must be a number"));
        }

        @GetMapping("/handled")
        String handled() {
            throw new IllegalStateException(new StoreUnavailableException("inbox.slice", null));
        }

        @GetMapping("/entity")
        ResponseEntity<FeedPage<Post>> entity(PageRequest page) {
            return ResponseEntity.status(203)
                    .header("Cache-Control", "no-store")
                    .body(feed.read("ann", page));
        }

        @GetMapping("/down")
        String down() {
            throw new StoreUnavailableException("inbox.slice", null);
        }
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static final class OrderRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OrderRefused(Throwable cause) {
            super("refused", cause);
        }
    }

    /** The application's own answers. */
    @RestControllerAdvice
    static class Answers {

        @ExceptionHandler
        ResponseEntity<String> handled(IllegalStateException e) {
            return ResponseEntity.status(418).body("the application's own");
        }
    }

    record OwnPage(int posts, Cursor newer) {}

    @RestController
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletEvents {

        private final LiveStreams streams;

        ServletEvents(LiveStreams streams) {
            this.streams = streams;
        }

        @GetMapping("/events")
        SseEmitter events(@RequestParam Cursor newer) {
            return streams.open("ann", newer);
        }

        @GetMapping("/broken-events")
        SseEmitter broken(@RequestParam Cursor newer) {
            SseEmitter stream = streams.open("ann", newer);
            throw new IllegalStateException("after " + stream);
        }
    }

    @RestController
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactivePages {

        private final ReactiveLiveStreams streams;
        private final FeedEngine feed;

        ReactivePages(ReactiveLiveStreams streams, FeedEngine feed) {
            this.streams = streams;
            this.feed = feed;
        }

        @GetMapping("/events")
        Flux<ServerSentEvent<Object>> events(
                @RequestParam Cursor newer, @RequestHeader(name = "Last-Event-ID", required = false) Cursor last) {
            return streams.open("ann", newer, last);
        }

        @GetMapping("/mono-entity")
        Mono<ResponseEntity<FeedPage<Post>>> entity(PageRequest page) {
            return Mono.fromCallable(() -> ResponseEntity.ok(feed.read("ann", page)));
        }

        @GetMapping("/mono")
        Mono<FeedPage<Post>> page(PageRequest page) {
            return Mono.fromCallable(() -> feed.read("ann", page));
        }
    }
}
