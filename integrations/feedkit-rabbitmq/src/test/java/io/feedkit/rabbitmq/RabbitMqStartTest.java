package io.feedkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import io.feedkit.queue.FanoutQueue.Subscription;
import io.feedkit.queue.UnusableBrokerException;
import io.feedkit.queue.UnusableBrokerException.Reason;
import io.feedkit.testservers.FaultyProxy;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("survival")
@Timeout(120)
@DisplayName("A queue in RabbitMQ at its start")
class RabbitMqStartTest {

    private final String prefix = TestRabbit.newPrefix();
    private final ConnectionFactory factory =
            TestRabbit.factory(TestRabbit.server().port());

    @AfterEach
    void deleteQueues() {
        TestRabbit.delete(prefix);
    }

    private RabbitMqFanoutQueue.Builder builder(ConnectionFactory from) {
        return RabbitMqFanoutQueue.builder(from).queuePrefix(prefix);
    }

    private void assertUnusable(RabbitMqFanoutQueue.Builder builder, Reason reason, String... message) {
        assertThatThrownBy(() -> builder.build().close()).isInstanceOfSatisfying(UnusableBrokerException.class, e -> {
            assertThat(e.reason()).isEqualTo(reason);
            assertThat(e.isRetryable()).isFalse();
            assertThat(e).hasMessageContainingAll(message);
            assertThat(e.toString()).doesNotContain(TestRabbit.server().password(), "wrong-secret");
        });
    }

    private void assertWorks(RabbitMqFanoutQueue.Builder builder) throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        try (RabbitMqFanoutQueue queue = builder.build();
                Subscription subscription = queue.receive(Lane.BULK, 1, arrived::countDown)) {
            assertThat(queue.status()).isEqualTo(Status.OPEN);
            assertThat(queue.send(List.of(new Message(Lane.BULK, "t")))).containsExactly(Sent.CONFIRMED);
            assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
            subscription.acknowledge(subscription.poll(1));
        }
    }

    @Test
    @DisplayName("declares quorum queues, and finds them the next time, also without declaring them")
    void declares() throws InterruptedException {
        assertWorks(builder(factory));
        assertWorks(builder(factory));
        assertWorks(builder(factory).declare(false));
        assertWorks(builder(factory)
                .addresses(List.of(
                        new Address("127.0.0.1", 1),
                        new Address("127.0.0.1", TestRabbit.server().port()))));
    }

    @Test
    @DisplayName("refuses a queue of another type, which stays as it is")
    void otherType() {
        TestRabbit.administer(channel -> channel.queueDeclare(prefix + ".bulk", true, false, false, Map.of()));
        assertUnusable(
                builder(factory),
                Reason.OTHER_QUEUE,
                prefix + ".bulk",
                "it is of another type",
                "delete the queue, set another queuePrefix, or set declare(false)");
        TestRabbit.administer(channel -> channel.queueDeclarePassive(prefix + ".bulk"));
    }

    @Test
    @DisplayName("refuses a queue with another length or another time, and names the setting")
    void otherArguments() {
        builder(factory)
                .maxLength(500)
                .messageTtl(Duration.ofSeconds(30))
                .build()
                .close();
        assertUnusable(
                builder(factory).messageTtl(Duration.ofSeconds(30)),
                Reason.OTHER_QUEUE,
                prefix + ".small",
                "maxLength is 20000",
                "has x-max-length = 500",
                "set maxLength to that");
        assertUnusable(
                builder(factory).maxLength(500), Reason.OTHER_QUEUE, "messageTtl is 60000", "x-message-ttl = 30000");
    }

    @Test
    @DisplayName("misses a queue that it is not to declare")
    void missing() {
        assertUnusable(builder(factory).declare(false), Reason.MISSING_QUEUE, prefix + ".dead", "declare(true)");
    }

    @Test
    @DisplayName("names what is refused: the user, or the virtual host")
    void denied() {
        ConnectionFactory wrong = factory.clone();
        wrong.setPassword("wrong-secret");
        assertUnusable(builder(wrong), Reason.ACCESS_DENIED, "check username and password");
        ConnectionFactory elsewhere = factory.clone();
        elsewhere.setVirtualHost("elsewhere");
        assertUnusable(builder(elsewhere), Reason.ACCESS_DENIED, "elsewhere", "check virtualHost");
    }

    @Test
    @DisplayName("says that the broker is too old")
    void tooOld() throws IOException {
        try (RenamingProxy old = RenamingProxy.before(TestRabbit.server().port(), "3.10.8", "3.9.99")) {
            assertUnusable(
                    builder(TestRabbit.factory(old.port())), Reason.TOO_OLD, "RabbitMQ 3.9.99", "use 3.10 or later");
        }
        try (RenamingProxy other = RenamingProxy.before(TestRabbit.server().port(), "RabbitMQ", "CarrotMQ")) {
            assertUnusable(
                    builder(TestRabbit.factory(other.port())), Reason.OTHER_PROGRAM, "CarrotMQ", "check host and port");
        }
    }

    @Test
    @DisplayName("works encrypted, with a certificate that the factory trusts")
    void encrypted() throws InterruptedException, GeneralSecurityException {
        ConnectionFactory trusting = TestRabbit.factory(TestRabbit.server().encryptedPort());
        trusting.useSslProtocol(TestRabbit.trusting());
        trusting.enableHostnameVerification();
        assertWorks(builder(trusting));
        trusting.setPassword("wrong-secret");
        assertUnusable(builder(trusting), Reason.ACCESS_DENIED, "check username");
        ConnectionFactory strange = TestRabbit.factory(TestRabbit.server().encryptedPort());
        strange.useSslProtocol(SSLContext.getDefault());
        assertUnusable(builder(strange), Reason.NOT_TRUSTED, "certificat", "useSslProtocol");
    }

    @Test
    @DisplayName("works with the client's other way to use a socket")
    void netty() throws InterruptedException {
        ConnectionFactory netty = TestRabbit.factory(TestRabbit.server().port());
        netty.netty();
        assertWorks(builder(netty));
    }

    @Test
    @DisplayName("says where nobody can be reached")
    void unreachable() {
        try (FaultyProxy proxy = FaultyProxy.before(TestRabbit.server().port())) {
            proxy.refuse();
            assertThatThrownBy(() -> builder(TestRabbit.factory(proxy.port())).build())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("127.0.0.1:" + proxy.port(), "Connection refused");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("fails where one side is encrypted and the other is not")
    void mixedUp(boolean encrypted) throws GeneralSecurityException {
        ConnectionFactory mixed = TestRabbit.factory(
                encrypted ? TestRabbit.server().port() : TestRabbit.server().encryptedPort());
        if (encrypted) {
            mixed.useSslProtocol(TestRabbit.trusting());
        }
        mixed.setHandshakeTimeout(1000);
        assertThatThrownBy(() -> builder(mixed).build().close())
                .isInstanceOf(FeedKitException.class)
                .hasMessageContainingAll("127.0.0.1", "encrypted");
    }
}
