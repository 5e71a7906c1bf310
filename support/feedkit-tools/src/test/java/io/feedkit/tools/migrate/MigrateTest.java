package io.feedkit.tools.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A migration of a home-made feed, and a move of followers")
class MigrateTest {

    @TempDir
    private Path directory;

    private Cli migrate(String... options) throws IOException {
        Path follows = Files.write(
                directory.resolve("follows.txt"),
                IntStream.range(0, 200)
                        .mapToObj(i -> i % 20 + " " + (20 + i * 7 % 30))
                        .distinct()
                        .toList());
        Path posts = Files.write(
                directory.resolve("posts.txt"),
                IntStream.range(0, 3000)
                        .mapToObj(i -> 1_341_100_000 + i / 3 + " " + (15 + i * 11 % 40))
                        .toList());
        String database = PostgresServer.shared().createDatabase();
        String redis = RedisServer.shared().uri();
        List<Object> args = new ArrayList<>(
                List.of("migrate", "--follows", follows, "--posts", posts, "--database", database, "--redis", redis));
        args.addAll(List.of(options));
        return Cli.run(args);
    }

    @Test
    @DisplayName("finds equal feeds before and after the switch, and leaves no keys")
    void equal() throws IOException {
        Cli run = migrate("--sample", "20");
        assertThat(run.err()).isEmpty();
        assertThat(run.value("compared before the switch")).contains("20 readers, 0 different");
        assertThat(run.value("compared after the switch")).contains("20 readers, 0 different");
        assertThat(run.value("old feed built")).contains("2,400 posts");
        assertThat(run.exitCode()).isZero();
        RedisClient client = RedisClient.create(RedisServer.shared().uri());
        try {
            assertThat(client.connect().sync().keys("old-*")).isEmpty();
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("refuses a sample of no readers, and an old feed that keeps fewer posts than are compared")
    void refused() throws IOException {
        assertThat(migrate("--sample", "0").exitCode()).isEqualTo(2);
        assertThat(migrate("--kept", "99").err()).contains("kept must be at least 100, but is 99");
    }

    @Test
    @DisplayName("moves all followers, and prints the times")
    void moved() {
        Cli run = Cli.run("move-followers", "--store", "memory", "--followers", "300");
        assertThat(run.exitCode()).isZero();
        assertThat(run.value("followers moved")).isEqualTo("300");
        assertThat(run.value("ratio")).isNotEmpty();
    }
}
