package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.testservers.HostModule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A module that requires io.feedkit.rabbitmq")
class ModuleTest {

    /** What a host needs beside FeedKit's modules. */
    private static final List<String> JARS = List.of("jspecify", "slf4j-api", "amqp-client", "netty-.*");

    @TempDir
    private Path directory;

    private HostModule host() {
        return new HostModule(
                directory, List.of("io.feedkit.rabbitmq"), List.of(FeedEngine.class, RabbitMqFanoutQueue.class), JARS);
    }

    @Test
    @Timeout(300)
    @DisplayName("compiles against the API, and connects in a JVM that has it on the module path")
    void runs() {
        assertThat(host().run("""
                package host.app;

                import com.rabbitmq.client.ConnectionFactory;
                import io.feedkit.StoreUnavailableException;
                import io.feedkit.rabbitmq.RabbitMqFanoutQueue;
                import io.feedkit.queue.FanoutQueue;

                public class Main {
                    public static void main(String[] arguments) {
                        ConnectionFactory factory = new ConnectionFactory();
                        factory.setHost("127.0.0.1");
                        factory.setPort(1);
                        try (FanoutQueue queue = RabbitMqFanoutQueue.create(factory)) {
                            System.out.println("connected to nobody");
                        } catch (StoreUnavailableException e) {
                            System.out.println(e.operation() + " in " + Main.class.getModule() + " by "
                                    + RabbitMqFanoutQueue.class.getModule());
                        }
                    }
                }
                """, "connect"))
                .isEqualTo("rabbitmq.connect in module host.app by module io.feedkit.rabbitmq");
    }

    @Test
    @DisplayName("cannot see the internals")
    void internals() {
        assertThat(host().compileMentionOf("io.feedkit.rabbitmq.internal.connection.RecoveringConnection"))
                .contains("package io.feedkit.rabbitmq.internal.connection is not visible");
    }
}
