package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Inboxes are set up")
class RedisInboxesTest {

    private static final InboxLimits LIMITS = new InboxLimits(10, 60_000);

    private static RedisInboxes.Builder builder() {
        return RedisInboxes.builder(RedisServers.at(TestInboxes.uri()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a{b", "a:b", "\u00e9", "x123456789x123456789x123456789x"})
    @DisplayName("not with a prefix that is empty, too long or could be mistaken")
    void prefix(String prefix) {
        assertThatThrownBy(() -> builder().prefix(prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix")
                .hasMessageContaining("\"" + prefix + "\"");
    }

    @Test
    @DisplayName("not with null, a time-out out of range, or a setting made twice")
    void refused() {
        assertThatThrownBy(() -> RedisInboxes.builder(RedisServers.at((RedisURI) null)))
                .hasMessage("uri must not be null");
        assertThatThrownBy(() -> builder().prefix(null)).hasMessage("prefix must not be null");
        assertThatThrownBy(() -> builder().timeout(null)).hasMessage("timeout must not be null");
        assertThatThrownBy(() -> builder().clock(null)).hasMessage("clock must not be null");
        assertThatThrownBy(() -> builder().resources(null)).hasMessage("resources must not be null");
        assertThatThrownBy(() -> builder().timeout(Duration.ofMillis(9))).hasMessageContaining("PT0.009S");
        assertThatThrownBy(() -> builder().timeout(Duration.ofDays(2))).hasMessageContaining("PT48H");
        assertThatThrownBy(() -> builder().clock(Clock.systemUTC()).clock(Clock.systemUTC()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("clock was set before");
        try (RedisInboxes inboxes = builder().build()) {
            assertThatThrownBy(() -> inboxes.inbox(null)).hasMessage("limits must not be null");
        }
    }

    @Test
    @DisplayName("with prefixes that keep them apart")
    void apart() {
        try (RedisInboxes some = builder().prefix(TestInboxes.newPrefix()).build();
                RedisInboxes others = builder().prefix(TestInboxes.newPrefix()).build()) {
            TestInboxes.live(some.inbox(LIMITS), "ann");
            assertThat(TestInboxes.slice(others.inbox(LIMITS), "ann", true).state())
                    .isEqualTo(State.ABSENT);
        }
    }

    @Test
    @DisplayName("with the host's threads, which are left running")
    void hostsThreads() {
        ClientResources resources = TestInboxes.resources();
        for (int i = 0; i < 2; i++) {
            String prefix = TestInboxes.newPrefix();
            try (RedisInboxes inboxes =
                    builder().prefix(prefix).resources(resources).build()) {
                TestInboxes.live(inboxes.inbox(LIMITS), "ann");
            }
            assertThat(TestInboxes.commands().exists(prefix + ":{73}:inbox:ann"))
                    .isOne();
        }
    }

    @Test
    @DisplayName("and closed once or twice, after which nothing can be done")
    void closed() {
        RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(TestInboxes.uri()));
        Inbox inbox = inboxes.inbox(LIMITS);
        inboxes.close();
        inboxes.close();
        assertThatThrownBy(() -> TestInboxes.deliver(inbox, "ann", Post.of("bob", "1", 1)))
                .isInstanceOf(StoreUnavailableException.class);
    }
}
