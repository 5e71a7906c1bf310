package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.StoreUnavailableException;
import io.feedkit.live.LiveBus.Registration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The end of a bus. */
public abstract class BusClosingRules extends BusRules {

    protected BusClosingRules(BusKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a closed bus sends and receives nothing, and other buses go on")
    void closed() {
        Ear here = ear(bus);
        Ear there = ear(another);
        connect(here, there);
        kit.close(bus);
        kit.close(bus);
        assertThatThrownBy(() -> bus.send("closed")).isInstanceOf(StoreUnavailableException.class);
        List<String> texts = texts("after", 5);
        send(another, texts);
        awaitExactly(there, texts);
        assertThat(here.messages()).as("messages of the closed bus").isEmpty();
    }

    @Test
    @DisplayName("registrations of a closed bus can be closed, and new ones get nothing")
    void registrations() {
        Ear before = ear(bus);
        Ear there = ear(another);
        connect(before, there);
        kit.close(bus);
        before.close();
        Ear after = inTime("listen", () -> ear(bus));
        send(another, List.of("text"));
        awaitExactly(there, List.of("text"));
        assertThat(after.messages()).isEmpty();
    }

    @Test
    @DisplayName("a bus that was never used can be closed")
    void unused() {
        kit.close(bus);
        Registration registration = bus.listen(message -> {});
        registration.close();
    }
}
