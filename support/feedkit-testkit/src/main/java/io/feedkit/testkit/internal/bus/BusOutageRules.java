package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedkit.StoreUnavailableException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A bus whose servers cannot be reached for a while. */
public abstract class BusOutageRules extends BusRules {

    protected BusOutageRules(BusKit kit) {
        super(kit);
    }

    @AfterEach
    void endOutage() {
        kit.endOutage();
    }

    private void assertSendFails() {
        Throwable failure = inTime("send", () -> catchThrowable(() -> bus.send("lost")));
        assertThat(failure).as("failure of a send").isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    @DisplayName("a message that cannot be sent is reported in bounded time, each time")
    void sendFails() {
        connect(ear(bus));
        kit.beginOutage();
        for (int i = 0; i < 3; i++) {
            assertSendFails();
        }
    }

    @Test
    @DisplayName("listeners from before an outage get messages again after it, without help")
    void goesOn() {
        Ear ear = ear(bus);
        connect(ear);
        for (int round = 0; round < 2; round++) {
            kit.beginOutage();
            assertSendFails();
            kit.endOutage();
            connect(ear);
        }
        List<String> texts = texts("after", 20);
        send(bus, texts);
        eventually("messages arrive", () -> ear.messages("after").size() >= texts.size());
        quiet();
        assertThat(ear.messages("after")).isEqualTo(texts);
    }

    @Test
    @DisplayName("listening during an outage neither waits nor fails, and messages arrive after it")
    void beginsLater() {
        kit.beginOutage();
        Ear ear = inTime("listen", () -> ear(bus));
        inTime("close of a registration", () -> {
            ear(bus).close();
            return true;
        });
        kit.endOutage();
        connect(ear);
        List<String> texts = texts("after", 5);
        send(another, texts);
        awaitExactly(ear, texts);
    }
}
