package io.feedkit.survival.copies;

import io.feedkit.survival.copies.CopyFaultRun.Outcome;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes faults of the store of copies, and checks feeds and inboxes. */
@Command(
        name = "trouble-copies",
        mixinStandardHelpOptions = true,
        description = "Takes the store of copies down, slows it down, wipes and restores it, and compares all feeds "
                + "with an oracle.")
public final class CopyFaults implements Callable<Integer> {

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each fault (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description = "How long a fault lasts (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--fault", defaultValue = "", description = "Only faults whose names contain this.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String only;

    /** For the command line. */
    public CopyFaults() {}

    @Override
    public Integer call() {
        int failed = 0;
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                RedisServer redis = RedisServer.start(Durability.FAST)) {
            for (int seed = 1; seed <= seeds; seed++) {
                for (CopyFault fault : CopyFault.values()) {
                    if (fault.name().contains(only) && !isSurvived(database, redis, fault, seed)) {
                        failed++;
                    }
                }
            }
        }
        System.out.printf("%d failed%n", failed);
        return failed == 0 ? 0 : 1;
    }

    private boolean isSurvived(PostgresServer database, RedisServer redis, CopyFault fault, long seed) {
        try {
            Outcome outcome = new CopyFaultRun(database, redis, fault, Duration.ofSeconds(seconds), seed).run();
            System.out.printf("%s seed %d: %s%n", fault, seed, outcome);
            return true;
        } catch (Exception | AssertionError e) {
            System.out.printf("%s seed %d: FAILED%n", fault, seed);
            e.printStackTrace(System.out);
            return false;
        }
    }
}
