package io.feedkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.HostModule;
import io.feedkit.testservers.KafkaServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("matrix")
@DisplayName("A module that requires io.feedkit.kafka")
@Timeout(120)
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS = List.of("jspecify", "slf4j-api", "kafka-clients");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory, List.of("io.feedkit.kafka"), List.of(FeedEngine.class, KafkaFanoutQueue.class), JARS);
    }

    @Test
    @DisplayName("compiles against the API, and sends and receives in a JVM that has it on the module path")
    void runs() {
        try (KafkaServer server = KafkaServer.start()) {
            assertThat(host().run("""
                    package host.app;

                    import io.feedkit.kafka.KafkaFanoutQueue;
                    import io.feedkit.queue.FanoutQueue.*;
                    import java.util.*;
                    import java.util.concurrent.Semaphore;

                    public class Main {
                        public static void main(String[] arguments) throws InterruptedException {
                            Map<String, Object> settings = Map.of("bootstrap.servers", "%s");
                            try (KafkaFanoutQueue queue = KafkaFanoutQueue.builder(settings).build()) {
                                queue.send(List.of(new Message(Lane.BULK, "task-1")));
                                Semaphore arrived = new Semaphore(0);
                                Subscription subscription = queue.receive(Lane.BULK, 10, arrived::release);
                                arrived.acquire();
                                System.out.println("received " + subscription.poll(10).get(0).text()
                                        + " in " + Main.class.getModule() + " from " + queue.getClass().getModule());
                            }
                        }
                    }
                    """.formatted(server.bootstrapServers()), "received"))
                    .isEqualTo("received task-1 in module host.app from module io.feedkit.kafka");
        }
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.kafka.internal.Sender"))
                .contains("package io.feedkit.kafka.internal is not visible");
    }
}
