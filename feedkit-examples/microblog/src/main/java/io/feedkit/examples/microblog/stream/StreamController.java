package io.feedkit.examples.microblog.stream;

import io.feedkit.Cursor;
import io.feedkit.examples.microblog.account.Account;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.server.ServerContainer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Where clients open streams. */
@RestController
class StreamController {

    private final OpenStreams streams;
    private final JsonMapper json;

    StreamController(OpenStreams streams, JsonMapper json) {
        this.streams = streams;
        this.json = json;
    }

    @GetMapping("/api/v1/streaming/health")
    String health() {
        return "OK";
    }

    /**
     * Server-sent events.
     *
     * @param own {@code 1} from the page of this server, which gets cursors, and events that other clients do not know
     * @param since the cursor of the page that the client shows; the header wins
     */
    @GetMapping("/api/v1/streaming/user")
    void events(
            Account me,
            @RequestParam(name = "feedkit", defaultValue = "") String own,
            @RequestParam(defaultValue = "") String since,
            @RequestHeader(name = "Last-Event-ID", defaultValue = "") String last,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Optional<Cursor> from = Stream.of(last, since)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(Cursor::parse);
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "private, no-store");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext exchange = request.startAsync(request, response);
        exchange.setTimeout(0);
        ServletOutputStream out = response.getOutputStream();
        SseOutlet outlet = new SseOutlet(exchange, out, own.equals("1"));
        CompletableFuture<UserStream> stream = new CompletableFuture<>();
        exchange.addListener(new End(() -> {
            CompletableFuture<Void> unused = stream.thenAccept(streams::end);
        }));
        out.setWriteListener(outlet);
        try {
            stream.complete(streams.open(me, outlet, from, own.equals("1")));
        } catch (RuntimeException e) {
            outlet.close(); // the answer has begun, so the client gets no error
        }
    }

    /** A WebSocket; Tomcat answers requests that do not ask for one. */
    @GetMapping("/api/v1/streaming")
    void socket(
            Account me,
            @RequestParam(defaultValue = "") String stream,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        ServerContainer sockets =
                (ServerContainer) request.getServletContext().getAttribute(ServerContainer.class.getName());
        try {
            sockets.upgradeHttpToWebSocket(
                    request,
                    response,
                    SocketEndpoint.configuration(() -> new SocketEndpoint(me, stream, streams, json)),
                    Map.of());
        } catch (jakarta.websocket.DeploymentException e) {
            throw new ServletException(e);
        }
    }

    /** Calls an action when an exchange has ended, for whatever reason. */
    private record End(Runnable action) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            action.run();
        }

        @Override
        public void onError(AsyncEvent event) {
            action.run();
            try {
                event.getAsyncContext().complete(); // the client is gone, so no error page
            } catch (IllegalStateException e) {
                // It has ended already.
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
