package io.feedkit.redis;

import static io.feedkit.redis.TestInboxes.commands;
import static io.feedkit.redis.TestInboxes.deliver;
import static io.feedkit.redis.TestInboxes.live;
import static io.feedkit.redis.TestInboxes.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("By the server's own clock")
class ServersClockTest {

    private static final long DAY = Duration.ofDays(1).toMillis();

    private final String prefix = TestInboxes.newPrefix();
    private final RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(TestInboxes.uri()))
            .prefix(prefix)
            .build();
    private final String key = prefix + ":{73}:inbox:ann";

    @AfterEach
    void close() {
        inboxes.close();
    }

    private Inbox inbox(long window) {
        return inboxes.inbox(new InboxLimits(10, window));
    }

    @Test
    @DisplayName("the key of an inbox is removed when its window is over")
    void removed() {
        Inbox inbox = inbox(300);
        long generation = inbox.open("ann", 1, false).generation();
        assertThat(inbox.complete("ann", generation, 1, 0)).isTrue();
        assertThat(commands().pttl(key)).isBetween(1L, 300L);
        await().until(() -> commands().exists(key) == 0);
        assertThat(slice(inbox, "ann", true).state()).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a key lasts as long as its window, which reads renew and nothing else does, and every step keeps")
    void renewed() {
        long generation = inbox(DAY).open("ann", 1, false).generation();
        assertLastsADay();
        inbox(DAY).complete("ann", generation, 1, 0);
        Inbox longer = inbox(2 * DAY);
        deliver(longer, "ann", Post.of("bob", "2", 2));
        assertThat(longer.merge("ann", generation, List.of(Post.of("eve", "1", 1)), Position.LOWEST))
                .isTrue();
        assertLastsADay();
        assertThat(longer.purge(
                        "ann", List.of("eve"), slice(longer, "ann", false).epoch()))
                .isTrue();
        assertLastsADay();
        longer.beginFollow("ann", List.of("joe"));
        longer.complete("ann", generation, 7, 0);
        assertLastsADay();
        slice(longer, "ann", true);
        assertThat(commands().pttl(key)).isBetween(2 * DAY - 60_000, 2 * DAY);
        assertThat(slice(longer, "ann", false).posts()).containsExactly(Post.of("bob", "2", 2));
    }

    @Test
    @DisplayName("trims keep the window, too")
    void trimmed() {
        Inbox inbox = inbox(DAY);
        live(inbox, "ann");
        for (int n = 1; n < 40; n++) {
            deliver(inbox, "ann", Post.of("bob", "p" + n, n));
        }
        assertLastsADay();
    }

    private void assertLastsADay() {
        assertThat(commands().pttl(key)).isBetween(DAY - 60_000, DAY);
    }

    @Test
    @DisplayName("a window without end is stored as the longest there is")
    void forEver() {
        Inbox inbox = inbox(Long.MAX_VALUE);
        live(inbox, "ann");
        slice(inbox, "ann", true);
        assertThat(slice(inbox, "ann", true).state()).isEqualTo(State.LIVE);
    }
}
