package io.feedkit.survival;

import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills a process at every point, with several seeds, and prints a summary. */
@Command(
        name = "kill",
        mixinStandardHelpOptions = true,
        description =
                "Kills relay, worker, broker and publisher at every point, and compares all feeds with an oracle.")
final class KillMatrix implements Callable<Integer> {

    @Option(names = "--broker", defaultValue = "rabbitmq", description = "rabbitmq (default) or kafka.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String brokerKind;

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each point (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--point", defaultValue = "", description = "Only points whose names contain this.")
    @SuppressWarnings("NullAway.Init")
    private String only;

    @Override
    public Integer call() {
        Kills kills = new Kills();
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                Broker broker = Broker.start(brokerKind)) {
            for (int seed = 1; seed <= seeds; seed++) {
                for (KillPoint point : KillPoint.values()) {
                    if (point.name().contains(only)) {
                        String run = point.name().toLowerCase(Locale.ROOT) + "-" + seed;
                        long number = seed;
                        kills.run(
                                point + " seed " + seed,
                                () -> new KillRun(database.createDatabase(), broker, point, number, run).run());
                    }
                }
            }
        }
        return kills.end(brokerKind);
    }
}
