package io.feedkit.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "spring.datasource.url=jdbc:h2:mem:magazine;MODE=PostgreSQL",
            "spring.sql.init.schema-locations=classpath:schema-h2.sql",
            "feedkit.inboxes=jdbc"
        })
@DisplayName("The magazine on Spring Boot")
@Timeout(60)
class MagazineTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    @Autowired
    private FeedEngine feed;

    private record Answer(int status, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        List<String> articles() {
            return StreamSupport.stream(json().get("items").spliterator(), false)
                    .map(item -> item.get("id").stringValue())
                    .toList();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        return new Answer(answer.statusCode(), answer.body());
    }

    private Answer get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    private Answer put(String path, String body) throws IOException, InterruptedException {
        return send(request(path).PUT(BodyPublishers.ofString(body)));
    }

    private Answer put(String path) throws IOException, InterruptedException {
        return put(path, "");
    }

    private void publish(String author, String... ids) throws IOException, InterruptedException {
        for (String id : ids) {
            assertThat(put("/articles/" + id + "?author=" + author, "The text of " + id)
                            .status())
                    .isEqualTo(200);
        }
        feed.fanout().drain();
    }

    @Test
    @DisplayName("publishes, and shows pages with links")
    void pages() throws IOException, InterruptedException {
        put("/follows/bob?reader=ann");
        assertThat(put("/follows/bob?reader=ann").status()).as("again").isEqualTo(200);
        publish("bob", "bob-1", "bob-2", "bob-3");
        publish("eve", "eve-1");

        Answer first = get("/feed?reader=ann&limit=2");
        assertThat(first.articles()).containsExactly("bob-3", "bob-2");
        assertThat(first.body()).contains("The text of bob-3");
        Answer last = get(first.json().get("older").stringValue());
        assertThat(last.articles()).containsExactly("bob-1");
        assertThat(last.json().get("older").isNull()).isTrue();

        publish("bob", "bob-4");
        assertThat(get(first.json().get("newer").stringValue()).articles()).containsExactly("bob-4");
        assertThat(get("/feed?reader=ann&older=nonsense").status()).isEqualTo(400);
    }

    @Test
    @DisplayName("publishes an article and its post, or neither")
    void transaction() throws IOException, InterruptedException {
        put("/follows/carl?reader=dora");
        assertThat(put("/articles/carl-1?author=no%20author", "A text").status())
                .as("the row is written, and then the post is refused")
                .isEqualTo(500);
        publish("carl", "carl-1");
        assertThat(get("/feed?reader=dora").articles()).containsExactly("carl-1");
    }

    @Test
    @DisplayName("counts unread articles, and likes once")
    void counts() throws IOException, InterruptedException {
        put("/follows/fred?reader=gina");
        publish("fred", "fred-1", "fred-2");
        assertThat(get("/feed/unread?reader=gina").body()).isEqualTo("2");
        String newer = get("/feed?reader=gina").json().get("newer").stringValue();
        put("/feed/seen?reader=gina&" + newer.substring(newer.indexOf("newer=")));
        assertThat(get("/feed/unread?reader=gina").body()).isEqualTo("0");

        assertThat(put("/likes/fred-1?reader=gina").body()).isEqualTo("1");
        assertThat(put("/likes/fred-1?reader=gina").body()).isEqualTo("1");
        assertThat(put("/likes/fred-1?reader=hugo").body()).isEqualTo("2");
    }

    @Test
    @DisplayName("streams new articles")
    void events() throws IOException, InterruptedException {
        put("/follows/ines?reader=john");
        String newer = get("/feed?reader=john").json().get("newer").stringValue();
        String cursor = newer.substring(newer.indexOf("newer="));
        try (Stream<String> lines = client.send(
                        request("/feed/events?reader=john&" + cursor).build(), BodyHandlers.ofLines())
                .body()) {
            publish("ines", "ines-1");
            assertThat(lines.filter(line -> line.startsWith("data:")).findFirst())
                    .hasValueSatisfying(data -> assertThat(data).contains("\"ines-1\""));
        }
    }
}
