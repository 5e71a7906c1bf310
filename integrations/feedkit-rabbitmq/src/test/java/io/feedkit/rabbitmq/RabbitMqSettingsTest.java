package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.StoreUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Settings of a queue in RabbitMQ")
class RabbitMqSettingsTest {

    private final ConnectionFactory factory = new ConnectionFactory();
    private final RabbitMqFanoutQueue.Builder builder = RabbitMqFanoutQueue.builder(factory);

    @Test
    @DisplayName("are refused out of range, with their name, the bounds and the value")
    void range() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxLength(0))
                .withMessage("maxLength must be between 1 and 10000000, but is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.messageTtl(Duration.ofMillis(999)))
                .withMessage("messageTtl must be between PT1S and PT24H, but is PT0.999S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sendTimeout(Duration.ZERO))
                .withMessageContaining("sendTimeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.addresses(List.of()))
                .withMessage("addresses must name at least one node, but is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "amq.feeds", "a b", "ä", "a/b"})
    @DisplayName("name queues as RabbitMQ allows")
    void prefix(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.queuePrefix(prefix))
                .withMessageContainingAll("queuePrefix must be 1 to 200 characters", "\"" + prefix + "\"");
    }

    @Test
    @DisplayName("are refused as null, and a second time")
    void once() {
        assertThatIllegalArgumentException().isThrownBy(() -> RabbitMqFanoutQueue.builder(null));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.queuePrefix(null));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.addresses(null));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.messageTtl(null));
        builder.queuePrefix("feeds:1").declare(true).sendTimeout(Duration.ofSeconds(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.declare(false))
                .withMessage("declare was set before");
    }

    @Test
    @DisplayName("contradict each other where queues are not declared")
    void contradictory() {
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.declare(false).maxLength(10).build())
                .withMessageContainingAll("maxLength", "declare(false)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"amqp://ann:s3cret@rabbit.internal", "ann:s3cret@rabbit.internal", "ann:s3c/r@et@h"})
    @DisplayName("are refused with credentials before a host, and no message shows these")
    void credentials(String host) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.addresses(List.of(new Address("127.0.0.1", 1), new Address(host, 1))))
                .withMessageContainingAll("addresses must not have user:password@", "set username and password")
                .satisfies(e -> assertHidden(e));
        factory.setHost(host);
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("host of the ConnectionFactory")
                .satisfies(e -> assertHidden(e));
    }

    private static void assertHidden(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        assertThat(text.toString()).doesNotContain("s3c");
    }

    @Test
    @DisplayName("leave the host's factory as it is, and a node that is silent ends the start in time")
    void silent() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            factory.setHost("127.0.0.1");
            factory.setPort(silent.getLocalPort());
            factory.setUsername("rabbit-user");
            factory.setPassword("wrong-secret");
            factory.setHandshakeTimeout(300);
            assertThatThrownBy(builder::build)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + silent.getLocalPort())
                    .hasMessageNotContainingAny("rabbit-user", "wrong-secret");
        }
        assertThat(factory.isAutomaticRecoveryEnabled()).isTrue();
        assertThat(factory.isTopologyRecoveryEnabled()).isTrue();
        assertThat(factory.getConnectionTimeout()).isEqualTo(ConnectionFactory.DEFAULT_CONNECTION_TIMEOUT);
        assertThat(factory.getChannelRpcTimeout()).isEqualTo(ConnectionFactory.DEFAULT_CHANNEL_RPC_TIMEOUT);
    }
}
