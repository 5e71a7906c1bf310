package io.feedkit.testkit.internal.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.live.LiveBus.Registration;
import io.feedkit.testkit.internal.Race;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many senders and listeners. */
@Tag("concurrency")
public abstract class BusConcurrencyRules extends BusRules {

    private static final int MESSAGES = 15;

    protected BusConcurrencyRules(BusKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("threads that send on several buses lose nothing, and the messages of each arrive in its order")
    void manySenders() {
        Ear here = ear(bus);
        Ear there = ear(another);
        connect(here, there);
        int threads = kit.threads();
        Race.run(threads, thread -> {
            send(thread % 2 == 0 ? bus : another, texts("t" + thread, MESSAGES));
            return true;
        });
        for (Ear ear : List.of(here, there)) {
            awaitCount(ear, threads * MESSAGES);
            for (int thread = 0; thread < threads; thread++) {
                String name = "t" + thread;
                assertThat(ear.messages(name + " ")).as("messages of a thread").isEqualTo(texts(name, MESSAGES));
            }
        }
        quiet();
        assertThat(here.count()).as("messages in all").isEqualTo(threads * MESSAGES);
    }

    @Test
    @DisplayName("registrations that come and go beside senders take no message from others")
    void comeAndGo() {
        Ear ear = ear(bus);
        connect(ear);
        Race.run(4, thread -> {
            if (thread == 0) {
                send(bus, texts("t", 10 * MESSAGES));
            } else {
                for (int i = 0; i < 50; i++) {
                    Registration registration = bus.listen(message -> {});
                    registration.close();
                }
            }
            return true;
        });
        awaitExactly(ear, texts("t", 10 * MESSAGES));
    }
}
