package io.feedkit.survival.chaos;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Random faults for a while, with several seeds. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "Serves feeds with four engines in three processes on PostgreSQL and Redis, makes random faults, "
                + "and checks every page.")
public final class ChaosCommand implements Callable<Integer> {

    private static final int MILLIS_PER_MINUTE = 60_000;

    @Option(names = "--seeds", defaultValue = "1", description = "How many runs (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--first-seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long firstSeed;

    @Option(
            names = "--minutes",
            defaultValue = "1",
            description = "How long each run makes faults, 0.5 for example (default: ${DEFAULT-VALUE}).")
    private double minutes;

    @Option(
            names = "--print",
            defaultValue = "3",
            description = "How many violations of each rule are printed (default: ${DEFAULT-VALUE}).")
    private int printed;

    @Option(
            names = "--ahead",
            defaultValue = "3000",
            description = "How many milliseconds ahead of the present posts may be dated (default: ${DEFAULT-VALUE}).")
    private int aheadMillis;

    /** For the command line. */
    public ChaosCommand() {}

    @Override
    public Integer call() throws Exception {
        int failed = 0;
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            try (ChaosRun run = new ChaosRun(seed, printed, aheadMillis)) {
                failed += run.run(Duration.ofMillis((long) (minutes * MILLIS_PER_MINUTE))) == 0 ? 0 : 1;
            }
        }
        System.out.printf("%d seeds, %d failed%n", seeds, failed);
        return failed == 0 ? 0 : 1;
    }
}
