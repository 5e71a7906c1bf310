package io.feedkit.survival.tiers;

import io.feedkit.survival.Kills;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills movers and {@code verify} at every point, with several seeds, and prints a summary. */
@Command(
        name = "kill-tiers",
        mixinStandardHelpOptions = true,
        description = "Kills processes that move posts to the archive or run verify at every point, and compares all "
                + "tiers with an oracle.")
public final class TierKills implements Callable<Integer> {

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each point (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--first-seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private int firstSeed;

    @Option(names = "--point", defaultValue = "", description = "Only points whose names contain this.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String only;

    /** For the command line. */
    public TierKills() {}

    @Override
    public Integer call() {
        Kills kills = new Kills();
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                RedisServer redis = RedisServer.start(Durability.FAST)) {
            for (int seed = firstSeed; seed < firstSeed + seeds; seed++) {
                for (TierPoint point : TierPoint.values()) {
                    if (point.name().contains(only)) {
                        String run = point.name().toLowerCase(Locale.ROOT) + "-" + seed;
                        long number = seed;
                        kills.run(
                                point + " seed " + seed, () -> new TierRun(database, redis, point, number, run).run());
                    }
                }
            }
        }
        return kills.end("mover and verify");
    }
}
