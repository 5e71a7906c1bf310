package io.feedkit.spring.host.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The guide on Spring Boot")
class SpringBootGuideTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path TESTS = Path.of(
            "..", "feedkit-spring-boot-starter", "src", "test", "java", "io", "feedkit", "spring", "host", "guide");

    @Test
    @DisplayName("shows code that is compiled and run")
    void shown() throws IOException {
        List<String> tested = new ArrayList<>();
        for (String type : List.of("FeedController", "EventsController", "WallTest")) {
            tested.addAll(blocks(Files.readString(TESTS.resolve(type + ".java")), "// guide\n(.*?)// end\n"));
        }
        List<String> shown = new ArrayList<>();
        for (String folder : List.of("guides", "reference")) {
            shown.addAll(blocks(Files.readString(DOCS.resolve(folder).resolve("spring-boot.md")), "```java\n(.*?)```"));
        }
        assertThat(shown).isEqualTo(tested);
    }

    private static List<String> blocks(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(block -> block.group(1).replaceAll("\\s+", ""))
                .toList();
    }

    @Test
    @DisplayName("makes an application that publishes and reads")
    void runs() throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(GuideApplication.class)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.datasource.url=jdbc:h2:mem:guide",
                        "feedkit.policy=hybrid(100000)",
                        "feedkit.inboxes=jdbc",
                        "feedkit.live.bus=none",
                        "spring.flyway.enabled=false",
                        "spring.liquibase.enabled=false")
                .run()) {
            context.getBean(JdbcClient.class)
                    .sql("create table article (id varchar(64) primary key, text varchar(1000))")
                    .update();
            context.getBean(FeedEngine.class).follow("ann", "bob");
            URI root = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest write = HttpRequest.newBuilder(root.resolve("/articles/post-1?author=bob"))
                    .POST(BodyPublishers.ofString("Hello"))
                    .build();
            assertThat(client.send(write, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            assertThat(client.send(write, BodyHandlers.ofString()).statusCode())
                    .as("there is such an article")
                    .isEqualTo(500);
            context.getBean(FeedEngine.class).fanout().drain();
            HttpRequest read =
                    HttpRequest.newBuilder(root.resolve("/feed?reader=ann")).build();
            assertThat(client.send(read, BodyHandlers.ofString()).body())
                    .contains("\"id\":\"post-1\"", "\"older\":null", "\"newer\":\"/feed?reader=ann&newer=");
        }
    }
}
