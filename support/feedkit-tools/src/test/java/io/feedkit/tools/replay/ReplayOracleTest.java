package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.tools.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Replays of hard operations give the feeds of the oracle")
class ReplayOracleTest {

    private static final long SEEDS = Long.getLong("feedkit.replay.seeds", 6);
    private static final int SETTINGS_PER_SEED = 2;
    private static final List<String> POLICIES =
            List.of("push", "pull", "hybrid:2", "hybrid:4", "active:2", "active:4", "online", "online:3");
    private static final List<String> SETTINGS = List.of(
            "--threads 1 --cap 10 --live-window 1h --walk --page 3",
            "--threads 4 --cap 10 --live-window 1s --newest 7",
            "--threads 4 --cap 40 --live-window 1h --newest 50",
            "--threads 1 --cap 1000 --live-window 7d --walk --page 50",
            "--threads 4 --cap 1000 --live-window 30d --newest 1000");

    @TempDir
    private Path dir;

    static Stream<Long> seeds() {
        return LongStream.rangeClosed(1, SEEDS).boxed();
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName(
            "under every policy, with small and large inboxes, long and short live windows, one thread and several")
    @MethodSource("seeds")
    void digests(long seed) throws Exception {
        OpsGenerator generator = new OpsGenerator(seed);
        List<String> followLines = generator.follows();
        List<String> opLines = generator.ops(1200);
        OpsOracle oracle = new OpsOracle(followLines, opLines);
        Path follows = write("follows", followLines);
        Path ops = write("ops", opLines);

        for (int i = 0; i < POLICIES.size() * SETTINGS_PER_SEED; i++) {
            String policy = POLICIES.get(i % POLICIES.size());
            String settings = SETTINGS.get((int) ((seed + i) % SETTINGS.size()));
            Cli run = replay(follows, ops, policy, settings);
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.value("digest"))
                    .as("seed %d, %s %s", seed, policy, settings)
                    .isEqualTo(oracle.digest(newest(settings)));
            assertThat(run.value("unread digest"))
                    .as("unread, seed %d, %s %s", seed, policy, settings)
                    .isEqualTo(oracle.unreadDigest());
        }
    }

    private static Cli replay(Path follows, Path ops, String policy, String settings) {
        List<Object> args = new ArrayList<>(
                List.of("replay", "--digest", "--unread", "--follows", follows, "--ops", ops, "--policy", policy));
        args.addAll(List.of(settings.split(" ", -1)));
        return Cli.run(args);
    }

    private static int newest(String settings) {
        return settings.contains("--walk")
                ? Integer.MAX_VALUE
                : Integer.parseInt(settings.replaceAll(".*--newest ", ""));
    }

    private Path write(String name, List<String> lines) throws IOException {
        return Files.write(dir.resolve(name), lines);
    }
}
