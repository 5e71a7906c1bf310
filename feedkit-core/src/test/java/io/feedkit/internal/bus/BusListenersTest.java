package io.feedkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.live.LiveBus;
import io.feedkit.live.LiveBus.Listener;
import io.feedkit.live.LiveBus.Registration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The listeners of a bus")
class BusListenersTest {

    private final BusListeners listeners = new BusListeners();
    private final List<String> received = new ArrayList<>();

    @Test
    @DisplayName("get every message, also after one that throws")
    void throwing() {
        Registration failing = listeners.add(message -> {
            throw new IllegalStateException(message);
        });
        Registration sound = listeners.add(received::add);
        listeners.receive("a");
        listeners.receive("b");
        assertThat(received).containsExactly("a", "b");
        failing.close();
        sound.close();
        assertThat(listeners.size()).isZero();
    }

    @Test
    @DisplayName("are registered as often as they are added")
    void several() {
        Listener same = received::add;
        Registration first = listeners.add(same);
        Registration second = listeners.add(same);
        first.close();
        first.close();
        listeners.receive("a");
        assertThat(received).containsExactly("a");
        second.close();
        listeners.receive("b");
        assertThat(received).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "~\u007f", "a b"})
    @DisplayName("may get every text of allowed characters, up to the longest")
    void allowed(String text) {
        assertThat(BusListeners.requireMessage(text)).isEqualTo(text);
        String longest = text.repeat(LiveBus.MAX_MESSAGE).substring(0, LiveBus.MAX_MESSAGE);
        assertThat(BusListeners.requireMessage(longest)).isEqualTo(longest);
        assertThatThrownBy(() -> BusListeners.requireMessage(longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 7000 characters, but has 7001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\t", "\u0000", "caf\u00e9", "\u0080"})
    @DisplayName("get no text that a bus need not carry")
    void refused(String text) {
        assertThatThrownBy(() -> BusListeners.requireMessage(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("message must have");
    }
}
