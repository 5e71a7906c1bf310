package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.presence.Connection;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the guide to presence shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to presence")
class PresenceGuideTest {

    private static FeedEngine engine(JdbcFeedStore sql) {
        // guide
        FeedEngine feed = FeedEngine.builder(sql)
                .presence(sql.presence()) // shared by all engines; by default each knows only its own readers
                .presence(presence -> presence.readsCountAsSeen(true))
                .build();
        // end
        return feed;
    }

    @Test
    @DisplayName("shows readers who come and go, to all engines")
    void presence() {
        try (HikariDataSource database = GuideDatabase.withFeedKit();
                JdbcFeedStore sql = JdbcFeedStore.create(database);
                FeedEngine feed = engine(sql);
                FeedEngine other = engine(sql)) {
            other.read("ben", PageRequest.first(20));
            other.presence().announce();
            // guide
            Connection connection = feed.presence().connect("ann"); // when a socket opens
            boolean online = feed.presence().isOnline("ann");
            Set<String> some = feed.presence().online(List.of("ann", "ben")); // one round trip
            connection.close(); // when it closes
            Optional<Instant> seen = feed.presence().lastSeen("ann");
            // end
            assertThat(online).isTrue();
            assertThat(some).containsExactlyInAnyOrder("ann", "ben");
            assertThat(seen).isPresent();
            feed.presence().announce();
            assertThat(other.presence().isOnline("ann")).isTrue();
            assertThat(other.presence().count()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("has the code of these tests")
    void shown() throws IOException {
        GuideTexts.assertShown("presence.md", "PresenceGuideTest");
    }
}
