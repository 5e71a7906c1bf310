package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.RedisServer;
import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A replay whose old posts move to an archive")
class ReplayArchiveTest {

    @TempDir
    private Path directory;

    static List<String> follows() {
        return ReplaySqlTest.FOLLOWS.lines().toList();
    }

    /** The operations of the other tests, a day for each second. */
    static List<String> days() {
        return ReplaySqlTest.OPS
                .lines()
                .map(line -> {
                    String[] timeAndRest = line.split(" ", 2);
                    return Long.parseLong(timeAndRest[0]) * Duration.ofDays(1).toSeconds() + " " + timeAndRest[1];
                })
                .toList();
    }

    /** A post that is published again bears its own time: at another time, an archived post would be new. */
    static List<String> withOwnTimes(List<String> ops) {
        Map<String, String> times = new HashMap<>();
        return ops.stream()
                .map(line -> {
                    String[] timeAndRest = line.split(" ", 2);
                    return timeAndRest[1].startsWith("P")
                            ? times.computeIfAbsent(timeAndRest[1], post -> timeAndRest[0]) + " " + timeAndRest[1]
                            : line;
                })
                .toList();
    }

    private Cli replay(List<String> follows, List<String> ops, List<String> options) throws IOException {
        List<Object> args = new ArrayList<>(List.of("replay", "--walk", "--page", "2", "--digest", "--unread"));
        args.addAll(List.of("--follows", Files.write(directory.resolve("follows.txt"), follows)));
        args.addAll(List.of("--ops", Files.write(directory.resolve("ops.txt"), ops)));
        args.addAll(options);
        return Cli.run(args);
    }

    private void givesTheDigestOfMemory(List<String> follows, List<String> ops, String policy, String... options)
            throws IOException {
        Cli expected = replay(follows, ops, List.of("--policy", policy));
        assertThat(expected.exitCode()).as(expected.err()).isZero();
        List<String> all = new ArrayList<>(List.of("--policy", policy));
        all.addAll(List.of(options));
        Cli run = replay(follows, ops, all);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.value("digest")).isEqualTo(expected.value("digest"));
        assertThat(run.value("unread digest")).isEqualTo(expected.value("unread digest"));
        assertThat(Integer.parseInt(run.value("archived posts"))).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("gives the digests of memory, with the archive in the same database")
    void sameDatabase(ReplaySqlTest.Backend sql) throws IOException {
        String url = sql.url();
        givesTheDigestOfMemory(follows(), days(), "push", "--store", url, "--archive", url, "--archive-after", "1d");
    }

    @Test
    @DisplayName("gives the digests of memory in all tiers: inboxes in Redis, posts and archive in two databases")
    void allTiers() throws IOException {
        String store = RedisServer.shared().uri() + "+" + ReplaySqlTest.Backend.POSTGRESQL.url();
        String archive = ReplaySqlTest.Backend.H2.url();
        givesTheDigestOfMemory(
                follows(), days(), "hybrid:4", "--store", store, "--archive", archive, "--archive-after", "3d");
    }

    @ParameterizedTest(name = "seed {0}, {1}")
    @CsvSource({"2,hybrid:2", "3,push", "4,active:2"})
    @DisplayName("of hard operations gives the digests of memory, while posts move")
    void hardOperations(long seed, String policy) throws IOException {
        OpsGenerator generator = new OpsGenerator(seed);
        List<String> follows = generator.follows();
        List<String> ops = withOwnTimes(generator.ops(400));
        givesTheDigestOfMemory(follows, ops, policy, "--cap", "10", "--archive", "memory", "--archive-after", "1d");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    --archive tape                       | archive must be none, memory or a JDBC URL, but is tape
                    --archive jdbc:nonsense:feed         | must be a JDBC URL
                    --archive memory --archive-after 23h | after must be between PT24H
                    --archive memory --archive-after 1w  | --archive-after
                    """)
    @DisplayName("refuses an option that is wrong, by its name")
    void refused(String options, String named) throws IOException {
        List<String> all = new ArrayList<>(List.of("--policy", "push"));
        all.addAll(List.of(options.split(" ", -1)));
        Cli run = replay(follows(), ReplaySqlTest.OPS.lines().toList(), all);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(named);
    }
}
