package io.feedkit.survival.chaos;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Random faults for a while, with several seeds. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "Serves feeds with four engines in three processes on PostgreSQL, Redis and an archive, makes "
                + "random faults, and checks every page.")
public final class ChaosCommand implements Callable<Integer> {

    private static final int MILLIS_PER_MINUTE = 60_000;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final int LONG_RUN_MINUTES = 2;

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

    @Option(
            names = "--skew",
            defaultValue = "55000",
            description = "How many milliseconds the clocks of engines are wrong, in both directions (default: "
                    + "${DEFAULT-VALUE}).")
    private int skewMillis;

    @Option(
            names = "--outage",
            defaultValue = "30",
            description = "How many seconds the database is down, once in each run of two minutes or more (default: "
                    + "${DEFAULT-VALUE}).")
    private int outageSeconds;

    /** For the command line. */
    public ChaosCommand() {}

    @Override
    public Integer call() throws Exception {
        int failed = 0;
        long outage = minutes >= LONG_RUN_MINUTES ? outageSeconds * MILLIS_PER_SECOND : 0;
        ChaosOptions options = new ChaosOptions(printed, aheadMillis, skewMillis, outage);
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            try (ChaosRun run = new ChaosRun(seed, options)) {
                failed += run.run(Duration.ofMillis((long) (minutes * MILLIS_PER_MINUTE))) == 0 ? 0 : 1;
            }
        }
        System.out.printf("%d seeds, %d failed%n", seeds, failed);
        return failed == 0 ? 0 : 1;
    }
}
