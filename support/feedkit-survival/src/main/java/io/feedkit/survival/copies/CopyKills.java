package io.feedkit.survival.copies;

import io.feedkit.survival.Kills;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills copiers and fillers of inboxes at every point, with several seeds, and prints a summary. */
@Command(
        name = "kill-copies",
        mixinStandardHelpOptions = true,
        description = "Kills processes that copy inboxes or fill inboxes from copies at every point, and compares all "
                + "feeds with an oracle.")
public final class CopyKills implements Callable<Integer> {

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each point (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--first-seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private int firstSeed;

    @Option(names = "--point", defaultValue = "", description = "Only points whose names contain this.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String only;

    private int built;
    private int filled;

    /** For the command line. */
    public CopyKills() {}

    @Override
    public Integer call() {
        Kills kills = new Kills();
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                RedisServer redis = RedisServer.start(Durability.FAST);
                CassandraServer server =
                        CassandraServer.options().durability(Durability.FAST).start();
                CopyStore store = CopyStore.open(server.address())) {
            for (int seed = firstSeed; seed < firstSeed + seeds; seed++) {
                for (CopyPoint point : CopyPoint.values()) {
                    if (point.name().contains(only)) {
                        String name = point.name().toLowerCase(Locale.ROOT) + "-" + seed;
                        CopyRun run = new CopyRun(database, redis, server, store, point, seed, name);
                        kills.run(point + " seed " + seed, run::run);
                        built += run.built();
                        filled += run.filled();
                        System.out.printf("  %d of %d inboxes filled from copies%n", run.filled(), run.built());
                    }
                }
            }
        }
        System.out.printf("%d of %d inboxes filled from copies%n", filled, built);
        int code = kills.end("copier and filler");
        return filled > 0 ? code : 1;
    }
}
