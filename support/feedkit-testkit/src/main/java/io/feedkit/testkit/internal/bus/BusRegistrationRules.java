package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.live.LiveBus.Listener;
import io.feedkit.live.LiveBus.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The beginning and the end of a registration. */
public abstract class BusRegistrationRules extends BusRules {

    protected BusRegistrationRules(BusKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a closed registration gets no further messages, and others go on")
    void closes() {
        Ear closed = ear(bus);
        Ear open = ear(bus);
        connect(closed, open);
        closed.close();
        closed.close();
        // A message that arrives during the close may still be delivered.
        send(bus, List.of("during"));
        awaitCount(open, 1);
        List<String> texts = texts("after", 10);
        send(another, texts);
        awaitCount(open, 11);
        quiet();
        assertThat(closed.messages("after")).as("messages after the close").isEmpty();
    }

    @Test
    @DisplayName("a listener that is registered twice gets each message twice, until one registration is closed")
    void registeredTwice() {
        List<String> received = new CopyOnWriteArrayList<>();
        Ear ear = ear(bus);
        Listener twice = message -> {
            if (message.startsWith("t")) {
                received.add(message);
            }
        };
        Registration first = bus.listen(twice);
        Registration second = bus.listen(twice);
        connect(ear);
        bus.send("t1");
        eventually("both registrations get the message", () -> received.equals(List.of("t1", "t1")));
        first.close();
        bus.send("t2");
        eventually("the open registration gets the message", () -> received.equals(List.of("t1", "t1", "t2")));
        quiet();
        assertThat(received).containsExactly("t1", "t1", "t2");
        second.close();
    }

    @Test
    @DisplayName("a bus whose listeners have all gone serves new ones")
    void again() {
        for (int round = 0; round < 3; round++) {
            Ear ear = ear(bus);
            connect(ear);
            List<String> texts = texts("round " + round, 5);
            send(another, texts);
            awaitExactly(ear, texts);
            ear.close();
        }
    }

    @Test
    @DisplayName("a listener may end its own registration, and register others")
    void fromListener() {
        Ear ear = ear(bus);
        List<String> received = new CopyOnWriteArrayList<>();
        List<Registration> registrations = new CopyOnWriteArrayList<>();
        Registration once = bus.listen(message -> {
            if (message.equals("first")) {
                registrations.forEach(Registration::close);
                registrations.add(bus.listen(received::add));
            }
        });
        registrations.add(once);
        connect(ear);
        bus.send("first");
        eventually("the listener was called", () -> registrations.size() == 2);
        connect(ear);
        bus.send("second");
        eventually("the new listener gets messages", () -> received.contains("second"));
        quiet();
        assertThat(registrations)
                .as("registrations, if the first one has ended")
                .hasSize(2);
        registrations.forEach(Registration::close);
    }
}
