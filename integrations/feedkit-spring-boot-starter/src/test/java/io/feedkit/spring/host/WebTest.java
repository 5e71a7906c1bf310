package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

@DisplayName("On the web")
@Timeout(120)
class WebTest {

    private static final long T0 = 1_767_225_600_000L;

    private static WebHost host(WebApplicationType type, String... properties) {
        WebHost host = WebHost.start(type, properties);
        host.feed().follow("ann", "bob");
        for (int i = 1; i <= 5; i++) {
            host.feed().publish(Post.of("bob", "post-" + i, T0 + i));
        }
        return host;
    }

    private static String link(String body, String name) {
        Matcher link = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body);
        assertThat(link.find()).as(name + " in " + body).isTrue();
        return link.group(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    @DisplayName("a page is JSON with links, which lead to the end of the feed")
    void pages(WebApplicationType type) {
        try (WebHost host = host(type)) {
            String first = host.get("/feed?limit=3&tab=home").body();
            assertThat(first).contains("post-5", "post-4", "post-3", "\"moreNewer\":false", "\"caveats\":[]");
            assertThat(link(first, "older")).startsWith("/feed?").contains("limit=3", "tab=home", "older=");
            assertThat(link(host.get("/feed?limit=3&sig=YWJj==").body(), "older"))
                    .as("other parameters are as they were")
                    .startsWith("/feed?limit=3&sig=YWJj==&older=");
            String second = host.get(link(first, "older")).body();
            assertThat(second).contains("post-2", "post-1", "\"older\":null");
            host.feed().publish("bob", "post-6");
            host.feed().fanout().drain();
            assertThat(host.get(link(first, "newer")).body()).contains("post-6").doesNotContain("post-5");
            assertThat(host.get("/own").body()).contains("\"posts\":6").containsPattern("\"newer\":\"[\\w-]+\"");
            HttpResponse<String> entity = host.get("/entity?limit=2");
            assertThat(entity.body()).contains("\"newer\":\"/entity?");
            assertThat(entity.statusCode()).isEqualTo(203);
            assertThat(entity.headers().firstValue("Cache-Control")).contains("no-store");
            if (type == WebApplicationType.REACTIVE) {
                assertThat(host.get("/mono-entity?limit=2").body()).contains("\"newer\":\"/mono-entity?");
                assertThat(host.get("/mono?limit=2").body()).contains("\"newer\":\"/mono?");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    @DisplayName("bad requests are 400, and stores that are down 503, with problem details")
    void problems(WebApplicationType type) {
        try (WebHost host = host(type)) {
            for (String path :
                    List.of("/feed?older=nonsense", "/new?since=nonsense", "/feed?limit=1000", "/feed?limit=many")) {
                HttpResponse<String> answer = host.get(path);
                assertThat(answer.statusCode()).as(path).isEqualTo(400);
                assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                        .as(path)
                        .startsWith("application/problem+json");
                assertThat(answer.body()).as(path).contains("\"detail\":");
            }
            HttpResponse<String> down = host.get("/down");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(down.headers().firstValue("Retry-After")).contains("2");
            assertThat(down.body()).doesNotContain("inbox.slice");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    @DisplayName("exceptions of the application are its own affair, also if a FeedKit exception is their cause")
    void ownExceptions(WebApplicationType type) {
        try (WebHost host = host(type)) {
            assertThat(host.get("/wrapped").statusCode()).isEqualTo(409);
            assertThat(host.get("/illegal").statusCode()).isEqualTo(409);
            HttpResponse<String> handled = host.get("/handled");
            assertThat(handled.statusCode()).isEqualTo(418);
            assertThat(handled.body()).isEqualTo("the application's own");
        }
        try (WebHost host = host(type, "feedkit.web.problem-details=false")) {
            assertThat(host.get("/down").statusCode()).isEqualTo(500);
        }
    }

    @Test
    @DisplayName("a handler that fails after it has opened a stream leaves no subscription")
    void brokenStream() {
        try (WebHost host = host(WebApplicationType.SERVLET)) {
            String cursor = link(host.get("/feed").body(), "newer").replaceAll(".*newer=([\\w-]+).*", "$1");
            assertThat(host.get("/broken-events?newer=" + cursor).statusCode()).isEqualTo(418);
            assertThat(host.feed().liveSubscribers()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    @DisplayName("events arrive as they happen, continue after the last one, and end with the application")
    void events(WebApplicationType type) {
        List<String> lines = new CopyOnWriteArrayList<>();
        Thread reader;
        try (WebHost host = host(type, "server.shutdown=graceful", "spring.lifecycle.timeout-per-shutdown-phase=60s")) {
            String cursor = link(host.get("/feed").body(), "newer").replaceAll(".*newer=([\\w-]+).*", "$1");
            reader = new Thread(
                    () -> host.stream("/events?newer=" + cursor, "").body().forEach(lines::add));
            reader.start();
            host.feed().publish("bob", "post-6");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> lines.stream().anyMatch(line -> line.contains("post-6")));
            assertThat(lines).anyMatch(line -> line.matches("event: ?PostAdded"));
            String last = lines.stream()
                    .filter(line -> line.startsWith("id:"))
                    .reduce((before, after) -> after)
                    .orElseThrow()
                    .substring(3)
                    .strip();
            List<String> again = new CopyOnWriteArrayList<>();
            Thread second = new Thread(
                    () -> host.stream("/events?newer=" + cursor, last).body().forEach(again::add));
            second.start();
            host.feed().publish("bob", "post-7");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> again.stream().anyMatch(line -> line.contains("post-7")));
            assertThat(again).noneMatch(line -> line.contains("post-6"));
        }
        long closed = System.nanoTime();
        await().atMost(Duration.ofSeconds(20)).until(() -> !reader.isAlive());
        assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    @DisplayName("a stream answers before its first event")
    void answersAtOnce(WebApplicationType type) {
        try (WebHost host = host(type)) {
            String cursor = link(host.get("/feed").body(), "newer").replaceAll(".*newer=([\\w-]+).*", "$1");
            long begun = System.nanoTime();
            try (Stream<String> lines =
                    host.stream("/events?newer=" + cursor, "").body()) {
                assertThat(lines.findFirst()).isPresent();
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            }
        }
    }
}
