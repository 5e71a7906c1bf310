package io.feedkit.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Policies")
class FanoutPolicyTest {

    private record Status(String author, long followers, FanoutMode currentMode, Duration backlogAge)
            implements AuthorStatus {

        static Status of(long followers, FanoutMode mode) {
            return new Status("bob", followers, mode, Duration.ZERO);
        }

        Status behind(Duration age) {
            return new Status(author, followers, currentMode, age);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_000_000_000L})
    @DisplayName("push pushes and pull pulls, whoever it is")
    void constant(long followers) {
        assertThat(FanoutPolicy.push().decide(Status.of(followers, FanoutMode.PULL)))
                .isEqualTo(FanoutMode.PUSH);
        assertThat(FanoutPolicy.pull().decide(Status.of(followers, FanoutMode.PUSH)))
                .isEqualTo(FanoutMode.PULL);
    }

    @ParameterizedTest
    @CsvSource({
        "79, PUSH, PUSH",
        "80, PUSH, PUSH",
        "99, PUSH, PUSH",
        "100, PUSH, PULL",
        "79, PULL, PUSH",
        "80, PULL, PULL",
        "99, PULL, PULL",
        "100, PULL, PULL",
        "0, PULL, PUSH",
        "9000000000, PUSH, PULL"
    })
    @DisplayName("hybrid pulls from the threshold on, until only four fifths are left")
    void hybrid(long followers, FanoutMode current, FanoutMode decided) {
        assertThat(FanoutPolicy.hybrid(100).decide(Status.of(followers, current)))
                .isEqualTo(decided);
        FanoutMode active = decided == FanoutMode.PULL ? FanoutMode.PUSH_ACTIVE : FanoutMode.PUSH;
        assertThat(FanoutPolicy.active(100).decide(Status.of(followers, current)))
                .isEqualTo(active);
    }

    @ParameterizedTest
    @CsvSource({"9, PULL, PUSH", "10, PULL, PULL", "10, PUSH, PUSH", "19, PUSH, PUSH", "20, PUSH, PULL"})
    @DisplayName("hybrid may be given both thresholds")
    void twoThresholds(long followers, FanoutMode current, FanoutMode decided) {
        assertThat(FanoutPolicy.hybrid(20, 10).decide(Status.of(followers, current)))
                .isEqualTo(decided);
    }

    @Test
    @DisplayName("hybrid does not flap while a count wavers between the thresholds")
    void noFlapping() {
        FanoutPolicy policy = FanoutPolicy.hybrid(100);
        FanoutMode mode = FanoutMode.PUSH;
        for (long followers : new long[] {90, 99, 100, 99, 85, 100, 81, 80}) {
            FanoutMode next = policy.decide(Status.of(followers, mode));
            assertThat(mode == FanoutMode.PULL && next == FanoutMode.PUSH)
                    .as("flapped at %d", followers)
                    .isFalse();
            mode = next;
        }
        assertThat(policy.decide(Status.of(79, mode))).isEqualTo(FanoutMode.PUSH);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    @DisplayName("refuse a threshold below 1, naming it")
    void badThreshold(long threshold) {
        assertThatThrownBy(() -> FanoutPolicy.hybrid(threshold))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threshold must be at least 1, but is " + threshold);
        assertThatThrownBy(() -> FanoutPolicy.active(threshold))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(threshold));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 11, Long.MAX_VALUE})
    @DisplayName("refuse a lower threshold that is negative or above the upper one")
    void badLower(long lower) {
        assertThatThrownBy(() -> FanoutPolicy.hybrid(10, lower))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lower must be between 0 and the threshold 10, but is " + lower);
    }

    @Test
    @DisplayName("shedding pulls what another policy would push while the backlog is too old, and only then")
    void shedding() {
        FanoutPolicy policy = FanoutPolicy.shedding(FanoutPolicy.push(), Duration.ofSeconds(10));
        Status status = Status.of(5, FanoutMode.PUSH);
        assertThat(policy.decide(status)).isEqualTo(FanoutMode.PUSH);
        assertThat(policy.decide(status.behind(Duration.ofSeconds(10)))).isEqualTo(FanoutMode.PUSH);
        assertThat(policy.decide(status.behind(Duration.ofSeconds(10).plusMillis(1))))
                .isEqualTo(FanoutMode.PULL);
        assertThat(FanoutPolicy.shedding(FanoutPolicy.active(1), Duration.ofSeconds(1))
                        .decide(status.behind(Duration.ofSeconds(2))))
                .isEqualTo(FanoutMode.PULL);
    }

    @ParameterizedTest
    @CsvSource({"79, PUSH_ACTIVE", "80, PUSH_ACTIVE", "99, PUSH_ACTIVE", "100, PULL"})
    @DisplayName("online pushes to active readers what another policy would push, and has the threshold of that policy")
    void online(long followers, FanoutMode decided) {
        for (FanoutMode current : List.of(FanoutMode.PUSH, FanoutMode.PULL)) {
            assertThat(FanoutPolicy.online(FanoutPolicy.hybrid(100)).decide(Status.of(followers, current)))
                    .isEqualTo(decided);
        }
        assertThat(FanoutPolicy.online(FanoutPolicy.active(100)).decide(Status.of(followers, FanoutMode.PULL)))
                .isEqualTo(FanoutMode.PUSH_ACTIVE);
    }

    @Test
    @DisplayName("online passes the facts about the author on, apart from the mode")
    void onlinePassesOn() {
        AtomicReference<AuthorStatus> asked = new AtomicReference<>();
        FanoutPolicy.online(author -> {
                    asked.set(author);
                    return FanoutMode.PULL;
                })
                .decide(Status.of(5, FanoutMode.PULL).behind(Duration.ofSeconds(3)));
        assertThat(asked.get().author()).isEqualTo("bob");
        assertThat(asked.get().followers()).isEqualTo(5);
        assertThat(asked.get().currentMode()).isEqualTo(FanoutMode.PUSH);
        assertThat(asked.get().backlogAge()).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> FanoutPolicy.online(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("policy must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    @DisplayName("refuse to shed at an age that is not positive, naming it")
    void badAge(Duration age) {
        assertThatThrownBy(() -> FanoutPolicy.shedding(FanoutPolicy.push(), age))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxBacklogAge must be positive, but is " + age);
    }
}
