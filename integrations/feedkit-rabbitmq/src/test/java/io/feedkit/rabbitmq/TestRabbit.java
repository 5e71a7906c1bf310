package io.feedkit.rabbitmq;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.feedkit.testservers.Certificate;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The broker of this JVM's tests, and what is done to it behind FeedKit's back. */
final class TestRabbit {

    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private TestRabbit() {}

    /** Gives the broker; skips the test where there is none. */
    static RabbitMqServer server() {
        assumeTrue(RabbitMqProgram.find().isPresent(), "rabbitmq-server is not on the PATH");
        return Started.SERVER;
    }

    /** How to reach the broker, on its own port or a proxy's. */
    static ConnectionFactory factory(int port) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setUsername(server().user());
        factory.setPassword(server().password());
        return factory;
    }

    /** Trusts the broker's certificate. */
    static SSLContext trusting() {
        server();
        return Started.TRUSTING;
    }

    /** Queues of their own. */
    static String newPrefix() {
        return "test" + PREFIXES.incrementAndGet();
    }

    /** Something that an administrator does. */
    interface Task<T> {
        T on(Channel channel) throws IOException;
    }

    static <T> T administer(Task<T> task) {
        try (Connection connection = factory(server().port()).newConnection();
                Channel channel = connection.createChannel()) {
            return task.on(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Publishes messages, and waits until the broker has confirmed them: a quorum queue may lose others. */
    static void publish(Task<Boolean> publishing) {
        administer(channel -> {
            channel.confirmSelect();
            publishing.on(channel);
            try {
                channel.waitForConfirmsOrDie(40_000);
                return true;
            } catch (InterruptedException | TimeoutException e) {
                throw new IOException(e);
            }
        });
    }

    /** Looks at all messages of a queue. */
    static List<String> look(String queue) {
        return administer(channel -> {
            List<String> texts = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, false);
                    next != null;
                    next = channel.basicGet(queue, false)) {
                texts.add(new String(next.getBody(), StandardCharsets.UTF_8));
            }
            return texts;
        });
    }

    static void delete(String prefix) {
        administer(channel -> {
            for (String queue : List.of(".small", ".bulk", ".dead")) {
                channel.queueDelete(prefix + queue);
            }
            return true;
        });
    }

    private static final class Started {
        static final RabbitMqServer SERVER;
        static final SSLContext TRUSTING;

        static {
            try (Certificate certificate = Certificate.of("ip:127.0.0.1")) {
                SERVER = RabbitMqServer.start(RabbitMqProgram.find().orElseThrow(), certificate);
                TRUSTING = trusting(certificate);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private static SSLContext trusting(Certificate certificate) throws IOException, GeneralSecurityException {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(certificate.trustStore())) {
                trusted.load(in, certificate.password().toCharArray());
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        }
    }
}
