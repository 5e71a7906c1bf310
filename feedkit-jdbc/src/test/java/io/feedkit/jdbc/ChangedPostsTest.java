package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The compatibility kit allows stores that cannot say what changed; this test does not. */
@DisplayName("Outboxes in PostgreSQL")
class ChangedPostsTest {

    private static final Post FIRST = Post.of("bob", "first", 1_700_000_000_000L);
    private static final Post LATE = Post.of("bob", "late", 1_600_000_000_000L);
    private static final List<String> AUTHORS = List.of("amy", "bob");

    private final TestDatabase database = TestDatabase.lent(Kind.POSTGRESQL);
    private final Outbox outbox = database.store().outbox();

    @AfterEach
    void close() {
        database.close();
    }

    private long publish(Post post) {
        outbox.append(List.of(new Publication(post, FanoutMode.PULL)));
        return outbox.lastAppended(List.of(post.author())).getOrDefault(post.author(), 0L);
    }

    @Test
    @DisplayName("know what was appended and deleted since a time, and nothing that was before")
    void changed() {
        long first = publish(FIRST);
        database.clock().advance(Duration.ofMillis(1));
        long second = publish(LATE);
        assertThat(outbox.appendedSince(AUTHORS, second, Position.LOWEST, 1))
                .containsExactly(Optional.of(List.of()), Optional.of(List.of(LATE)));
        assertThat(outbox.appendedSince(AUTHORS, first, Position.of(FIRST), 2))
                .containsExactly(Optional.of(List.of()), Optional.of(List.of(FIRST)));
        assertThat(outbox.appendedSince(AUTHORS, first, Position.LOWEST, 1))
                .containsExactly(Optional.of(List.of()), Optional.empty());
        assertThat(outbox.deletedSince(AUTHORS, 0, 1)).contains(Set.of());
        outbox.delete(List.of(FIRST.key(), new PostKey("bob", "unknown")));
        assertThat(outbox.deletedSince(AUTHORS, first, 1)).contains(Set.of(FIRST.key()));
        outbox.delete(List.of(LATE.key()));
        assertThat(outbox.deletedSince(AUTHORS, first, 1)).isEmpty();
        assertThat(outbox.appendedSince(AUTHORS, second, Position.LOWEST, 1))
                .containsExactly(Optional.of(List.of()), Optional.of(List.of()));
    }
}
