package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.spring.FeedKitProperties;
import io.feedkit.testkit.internal.PublicApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The public API for Spring")
class PublicApiTest {

    private static final Path RECORDED = Path.of("..", "..", "docs", "reference", "api-spring.txt");
    private static final Path FOUND = Path.of("target", "api-spring.txt");

    @Test
    @DisplayName("is the one that docs/reference/api-spring.txt records")
    void recorded() throws IOException {
        List<String> found = PublicApi.of(FeedKitProperties.class);
        Files.write(FOUND, found);
        assertThat(found)
                .as("if the change is meant: copy target/api-spring.txt to docs/reference")
                .isEqualTo(Files.readAllLines(RECORDED));
    }
}
