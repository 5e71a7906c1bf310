package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.CassandraServer;
import io.feedkit.tools.Cli;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A replay whose inboxes are filled from copies")
class ReplayCopiesTest {

    @TempDir
    private Path directory;

    private Cli replay(List<String> follows, List<String> ops, String policy, String options) throws IOException {
        List<Object> args = new ArrayList<>(List.of("replay", "--walk", "--page", "2", "--digest", "--unread"));
        args.addAll(List.of("--policy", policy));
        args.addAll(List.of("--follows", Files.write(directory.resolve("follows.txt"), follows)));
        args.addAll(List.of("--ops", Files.write(directory.resolve("ops.txt"), ops)));
        args.addAll(List.of(options.split(" ", -1)));
        return Cli.run(args);
    }

    private void givesTheDigestsWithoutCopies(
            List<String> follows, List<String> ops, String policy, String options, String copies) throws IOException {
        Cli expected = replay(follows, ops, policy, options);
        assertThat(expected.exitCode()).as(expected.err()).isZero();
        Cli run = replay(follows, ops, policy, options + " --copies " + copies);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.value("digest")).isEqualTo(expected.value("digest"));
        assertThat(run.value("unread digest")).isEqualTo(expected.value("unread digest"));
        assertThat(Integer.parseInt(run.value("inboxes filled from copies"))).isPositive();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "push,--live-window 1h",
        "pull,--cap 10",
        "hybrid:2,--live-window 1d",
        "active:2,--queue memory",
        "online,--cap 10"
    })
    @DisplayName("gives the digests of a run without copies")
    void sameDigests(String policy, String options) throws IOException {
        givesTheDigestsWithoutCopies(ReplayArchiveTest.follows(), ReplayArchiveTest.days(), policy, options, "memory");
    }

    @ParameterizedTest(name = "seed {0}, {1} {2}")
    @CsvSource({
        "2,hybrid:2,--cap 10",
        "3,push,--live-window 1h",
        "4,active:2,--live-window 1d",
        "5,push,--archive memory --archive-after 1d --cap 10",
        "6,hybrid:2,--archive memory --archive-after 1d --live-window 6h"
    })
    @DisplayName("of hard operations gives the digests of a run without copies, also while posts move to an archive")
    void hardOperations(long seed, String policy, String options) throws IOException {
        OpsGenerator generator = new OpsGenerator(seed);
        List<String> follows = generator.follows();
        List<String> ops = ReplayArchiveTest.withOwnTimes(generator.ops(400));
        givesTheDigestsWithoutCopies(follows, ops, policy, options, "memory");
    }

    @Test
    @EnabledIf("io.feedkit.testservers.CassandraServer#isInstalled")
    @DisplayName("from Cassandra gives the digests of a run without copies")
    void cassandra() throws IOException {
        InetSocketAddress server = CassandraServer.shared().address();
        String url =
                "cassandra://" + server.getHostString() + ":" + server.getPort() + "/" + CassandraServer.DATACENTER;
        OpsGenerator generator = new OpsGenerator(7);
        List<String> follows = generator.follows();
        List<String> ops = ReplayArchiveTest.withOwnTimes(generator.ops(400));
        givesTheDigestsWithoutCopies(follows, ops, "hybrid:3", "--cap 10 --live-window 1d", url);
        givesTheDigestsWithoutCopies(ReplayArchiveTest.follows(), ReplayArchiveTest.days(), "push", "--cap 10", url);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    --copies tape                         | copies must be none, memory or cassandra://HOST:PORT/DATACENTER, but is tape
                    --copies cassandra://user:pw@host:1/a | copies must be cassandra://HOST:PORT/DATACENTER, without a user or a password
                    --copies cassandra://host:9042        | copies must be cassandra://HOST:PORT/DATACENTER
                    --copies cassandra://host:99999/dc1   | copies must be cassandra://HOST:PORT/DATACENTER
                    --copies memory --live-window 400d    | liveWindow must be shorter than 364 days with copies, but is PT9600H
                    --copies memory --live-window 5s      | interval must be
                    """)
    @DisplayName("refuses an option that is wrong, by its name")
    void refused(String options, String named) throws IOException {
        Cli run = replay(ReplayArchiveTest.follows(), ReplayArchiveTest.days(), "push", options);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(named);
    }
}
