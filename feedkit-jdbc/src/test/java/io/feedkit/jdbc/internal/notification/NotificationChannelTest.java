package io.feedkit.jdbc.internal.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NotificationChannelTest {

    private static final String LONGEST = "a".repeat(30) + "task";

    @Test
    @DisplayName("a channel has the name of the table, with at most 63 bytes")
    void plain() {
        assertThat(NotificationChannel.name("public", "feedkit_task")).isEqualTo("public.feedkit_task");
        assertThat(NotificationChannel.name("s".repeat(28), LONGEST))
                .hasSize(63)
                .contains(".");
    }

    @Test
    @DisplayName("schemas with long names, or with special characters, have different channels, too")
    void others() {
        Set<String> names = Stream.of(
                        "s".repeat(29), "s".repeat(63), "it's", "a\"b", "a\\b", "\u00e4", "a b", "?", ":a")
                .map(schema -> NotificationChannel.name(schema, LONGEST))
                .collect(Collectors.toSet());
        assertThat(names).hasSize(9).allMatch(name -> name.matches("[a-z0-9_]+\\.[a-z0-9_]+") && name.length() <= 63);
    }
}
