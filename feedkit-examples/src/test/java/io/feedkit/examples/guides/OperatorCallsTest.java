package io.feedkit.examples.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.feedkit.FeedEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the page on an operator's calls shows. */
@DisplayName("The page on an operator's calls")
@Timeout(120)
class OperatorCallsTest {

    @Test
    @DisplayName("serves the calls of an operator, and the errors of wrong ones")
    void calls() throws IOException, InterruptedException {
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            feed.publish("bob", "post-1");
            // guide
            HttpServer admin = HttpServer.create(new InetSocketAddress("localhost", 9090), 0);
            Map<String, Function<String, Object>> calls = Map.of(
                    "backlog",
                    none -> feed.fanout().backlog(),
                    "replay",
                    id -> feed.fanout().replay(List.of(id)),
                    "inspect",
                    feed::inspect,
                    "refresh",
                    feed::refresh); // and others
            calls.forEach((name, call) -> admin.createContext("/" + name, exchange -> {
                Object answer;
                try {
                    answer = call.apply(exchange.getRequestURI().getQuery());
                } catch (RuntimeException e) {
                    answer = e;
                }
                byte[] text = answer.toString().getBytes(UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
                exchange.close();
            }));
            admin.start();
            // end
            try {
                assertThat(get("backlog")).contains("due=1");
                assertThat(get("inspect?ann")).contains("ann");
                assertThat(get("refresh?ann")).isEqualTo(Integer.toString(feed.refresh("ann")));
                assertThat(get("refresh")).contains("must not be null");
            } finally {
                admin.stop(0);
            }
        }
    }

    private static String get(String call) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:9090/" + call))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
