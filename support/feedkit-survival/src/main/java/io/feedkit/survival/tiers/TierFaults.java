package io.feedkit.survival.tiers;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisSentinels;
import io.feedkit.testservers.RedisServer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fails Redis over, and restores SQL from a backup, with several seeds. */
@Command(
        name = "trouble-tiers",
        mixinStandardHelpOptions = true,
        description = "Fails Redis over, and restores the posts from a backup an hour old, below newer inboxes and a "
                + "newer archive; compares all tiers with an oracle.")
public final class TierFaults implements Callable<Integer> {

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each fault (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--fault", defaultValue = "", description = "Only faults whose names contain this.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String only;

    /** For the command line. */
    public TierFaults() {}

    @Override
    public Integer call() {
        int failed = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            for (TierFault fault : TierFault.values()) {
                if (fault.name().contains(only)) {
                    try {
                        System.out.printf("%s seed %d: %s%n", fault, seed, run(fault, seed));
                    } catch (Exception | AssertionError e) {
                        failed++;
                        System.out.printf("%s seed %d: FAILED%n", fault, seed);
                        e.printStackTrace(System.out);
                    }
                }
            }
        }
        System.out.printf("%d failed%n", failed);
        return failed == 0 ? 0 : 1;
    }

    /** Runs a fault on servers of its own, and returns the outcome. */
    static Object run(TierFault fault, long seed) throws Exception {
        try (PostgresServer database = PostgresServer.start(Durability.FAST)) {
            return switch (fault) {
                case REDIS_FAILED_OVER -> failOver(database, seed);
                case SQL_RESTORED_DISTRUST -> restore(database, Recovery.DISTRUST, seed);
                case SQL_RESTORED_FLUSH -> restore(database, Recovery.FLUSH, seed);
                case SQL_RESTORED_VERIFY -> restore(database, Recovery.VERIFY, seed);
            };
        }
    }

    private static FailoverRun.Outcome failOver(PostgresServer database, long seed) throws Exception {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            return new FailoverRun(database, sentinels, seed).run();
        }
    }

    private static RestoreRun.Outcome restore(PostgresServer database, Recovery recovery, long seed) throws Exception {
        try (RedisServer redis = RedisServer.start(Durability.FAST)) {
            return new RestoreRun(database, redis, recovery, seed).run();
        }
    }
}
