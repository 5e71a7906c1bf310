package io.feedkit.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A program")
class LoadingTest {

    @Test
    @DisplayName("has nothing against it if it ends with exit code 0")
    void loaded() {
        assertThat(Loading.obstacle(Path.of("/bin/echo"), "--version")).isEmpty();
    }

    @Test
    @DisplayName("that cannot be loaded is reported with what it said")
    void said() {
        assertThat(Loading.obstacle(Path.of("/bin/ls"), "/missing"))
                .hasValueSatisfying(why -> assertThat(why).contains("/missing").endsWith("(exit code 2)"));
    }

    @Test
    @DisplayName("that is not there is reported")
    void missing() {
        assertThat(Loading.obstacle(Path.of("/missing"), "--version"))
                .hasValueSatisfying(why -> assertThat(why).contains("/missing"));
    }
}
