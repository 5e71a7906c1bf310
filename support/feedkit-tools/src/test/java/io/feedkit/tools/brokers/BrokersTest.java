package io.feedkit.tools.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.KafkaServer;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.tools.Cli;
import io.feedkit.tools.servers.RunTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@DisplayName("The example of brokers")
class BrokersTest {

    private static final String DATABASE = "--database=jdbc:postgresql://127.0.0.1:1/feed?user=feed&password=secret";
    private static final String QUEUE = "--queue=amqp://feed:secret@127.0.0.1:1";

    @Test
    @Tag("survival")
    @Timeout(240)
    @DisplayName("kills a worker, and finds the post once in every feed and at the consumer; nothing is left")
    void whole() throws SQLException {
        String database = PostgresServer.shared().createDatabase();
        String kafka = "kafka://" + KafkaServer.shared().bootstrapServers();

        Cli run = Cli.run(
                "brokers",
                "--database",
                database,
                "--queue",
                kafka,
                "--followers",
                "1200",
                "--workers",
                "2",
                "--lease",
                "2");

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .containsPattern("KILLED worker [12] \\(process [0-9]+, SIGKILL\\)")
                .containsPattern("relay +backlog: tasks [1-9]")
                .containsPattern("consumer +received celebrity/post-1: io\\.feedkit\\.post\\.created")
                .contains("followers who have the post exactly once: 1,200 of 1,200")
                .contains("RIGHT");
        assertThat(run.out().lines().filter(line -> line.matches("[0-9].*")))
                .extracting(line -> line.replaceFirst(":.*", ""))
                .containsExactly("1. Prepare", "2. Start", "3. Publish and kill", "4. Recover", "5. Check");
        assertThat(tables(database)).isEmpty();
    }

    @Test
    @DisplayName("finds feeds that lack the post")
    void incomplete() {
        String database = PostgresServer.shared().createDatabase();
        List<String> options = List.of("--database", database, QUEUE, "--events", "none");
        Place place = CommandLine.populateCommand(new Options(), options.toArray(String[]::new)).place;
        RunTables.make(database, place.tablePrefix());
        new Preparation(place).addFollowers(3);

        Cli missing = Cli.run(
                Stream.concat(Stream.of("brokers", "check"), options.stream()).toList());

        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.out()).contains("exactly once: 0 of 3", "lack it: 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"brokers", "relay", "consumer", "check"})
    @DisplayName("ends with an exit code if servers cannot be reached, and shows no password")
    void unreachable(String command) {
        List<String> args = new ArrayList<>(List.of("brokers"));
        if (!command.equals("brokers")) {
            args.add(command);
        }
        args.addAll(List.of(DATABASE, QUEUE, "--lease=2"));

        Cli run = Cli.run(args);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(run.err().contains("store unavailable") ? 1 : 2);
        assertThat(run.err()).doesNotContain("secret").doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --lease=2                                                      | --database is missing
            --database=jdbc:h2:mem:feed --queue=amqp://h                   | database must be a JDBC URL of PostgreSQL
            --database=postgres://u:secret@h/f --queue=amqp://h            | database must be a JDBC URL of PostgreSQL
            --database=jdbc:postgresql://u:secret@h/f --queue=amqp://h     | must not have user:password@ before the host
            --database=jdbc:postgresql://h/f                               | --queue is missing
            --database=jdbc:postgresql://h/f --queue=amqp://u:se/cret@h:1  | escape / # ? @ in the password
            --database=jdbc:postgresql://h/f --queue=amqp://u:s/ecr/et@h:1 | escape / # ? @ in the password
            --database=jdbc:postgresql://h/f --queue=nats://u:secret@h     | queue must be amqp://HOST:PORT or kafka://
            --database=jdbc:postgresql://h/f --queue=kafka://u:secret@h:1  | queue must be kafka://HOST:PORT
            --database=jdbc:postgresql://h/f --queue=amqp://h --events=x:secret | events must be kafka://HOST:PORT
            --database=jdbc:postgresql://h/f --queue=amqp://h --lease=1    | lease must be between 2 and 600 seconds
            --database=jdbc:postgresql://h/f --queue=amqp://h --run=A_b    | run must be 1 to 20 characters
            --database=jdbc:postgresql://h/f --queue=amqp://h --workers=1  | workers must be between 2 and 16
            --database=jdbc:postgresql://h/f --queue=amqp://h --followers=0 | followers must be between 1 and
            """)
    @DisplayName("refuses wrong options with exit code 2, and shows no password")
    void refused(String options, String why) {
        List<String> args = new ArrayList<>(List.of("brokers"));
        args.addAll(List.of(options.strip().split(" ", -1)));

        Cli run = Cli.run(args);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(why).doesNotContain("secret");
        assertThat(run.out()).isEmpty();
    }

    @Command
    private static final class Options {
        @Mixin
        private final Place place = new Place();
    }

    private static List<String> tables(String url) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("SELECT tablename FROM pg_tables WHERE tablename LIKE 'brokers%'")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }
}
