package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.testservers.KafkaServer;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RabbitMqProgram;
import io.feedkit.testservers.RabbitMqServer;
import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A replay through a queue")
class ReplayQueuesTest {

    @TempDir
    private Path directory;

    private Path follows;
    private Path ops;

    @BeforeEach
    void writeInput() throws IOException {
        follows = Files.writeString(directory.resolve("follows.txt"), ReplaySqlTest.FOLLOWS);
        ops = Files.writeString(directory.resolve("ops.txt"), ReplaySqlTest.OPS);
    }

    private Cli replay(String policy, String store, String queue) {
        List<Object> args = List.of("replay", "--digest", "--walk", "--follows", follows, "--ops", ops);
        List<Object> how = List.of("--policy", policy, "--store", store, "--queue", queue);
        return Cli.run(Stream.concat(args.stream(), how.stream()).toList());
    }

    private void givesTheDigestOfNone(String queue) {
        String expected = replay("push", "memory", "none").value("digest");
        for (String store : List.of("memory", PostgresServer.shared().createDatabase())) {
            for (String policy : ReplaySqlTest.POLICIES) {
                Cli run = replay(policy, store, queue);
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.value("digest")).as(policy).isEqualTo(expected);
            }
        }
    }

    @Test
    @Tag("matrix")
    @DisplayName("in Kafka gives the same digest as without one, and leaves no topics")
    void kafka() throws ExecutionException, InterruptedException {
        String servers = KafkaServer.shared().bootstrapServers();

        givesTheDigestOfNone("kafka://" + servers);

        assertThat(topics(servers)).noneMatch(topic -> topic.startsWith("feedkit.replay"));
    }

    private static Set<String> topics(String servers) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            return admin.listTopics().names().get();
        }
    }

    @Test
    @Tag("matrix")
    @DisplayName("in RabbitMQ gives the same digest as without one")
    void rabbitMq() {
        assumeTrue(RabbitMqProgram.find().isPresent(), "rabbitmq-server is not on the PATH");
        try (RabbitMqServer server = RabbitMqServer.start(RabbitMqProgram.find().orElseThrow())) {
            givesTheDigestOfNone("amqp://" + server.user() + ":" + server.password() + "@127.0.0.1:" + server.port());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nats://feed:secret@127.0.0.1:1",
                "amqp://feed:secret@127.0.0.1:1",
                "amqp://feed:a secret@127.0.0.1",
                "kafka://feed:secret@127.0.0.1:1",
                "kafka://secret"
            })
    @DisplayName("that cannot be used is refused with exit code 2, and no password is shown")
    void refused(String queue) {
        Cli run = replay("push", "memory", queue);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("queue ").doesNotContain("secret");
        assertThat(run.out()).isEmpty();
    }
}
