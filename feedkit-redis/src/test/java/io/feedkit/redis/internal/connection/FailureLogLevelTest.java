package io.feedkit.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.FormatVersionException;
import io.feedkit.redis.UnusableServerException;
import io.feedkit.redis.UnusableServerException.Reason;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

@DisplayName("A failure to connect")
class FailureLogLevelTest {

    private final FeedKitException away = new StoreUnavailableException("redis.connect", null);
    private final List<FeedKitException> kinds = List.of(
            away,
            new UnusableServerException(Reason.ACCESS_DENIED, "wrong password", null),
            new UnusableServerException(Reason.NOT_REDIS, "wrong port", null),
            new FormatVersionException("feedkit:{t0}:format", "inbox 2", "inbox 1"));

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final FailureLogLevel loudness = new FailureLogLevel(clock);

    @Test
    @DisplayName("is a warning once in ten minutes for each kind, also where kinds take turns")
    void oncePerKind() {
        assertThat(kinds).extracting(loudness::of).containsOnly(Level.WARN);
        assertThat(kinds).extracting(loudness::of).containsOnly(Level.DEBUG);
        clock.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(kinds).extracting(loudness::of).containsOnly(Level.DEBUG);
        clock.advance(Duration.ofMillis(1));
        assertThat(kinds).extracting(loudness::of).containsOnly(Level.WARN);
        assertThat(kinds).extracting(loudness::of).containsOnly(Level.DEBUG);
    }

    @Test
    @DisplayName("is a warning again when the clock was set back")
    void clockSetBack() {
        assertThat(loudness.of(away)).isEqualTo(Level.WARN);
        clock.advance(Duration.ofHours(-1));
        assertThat(loudness.of(away)).isEqualTo(Level.WARN);
        assertThat(loudness.of(away)).isEqualTo(Level.DEBUG);
    }
}
