package io.feedkit.survival;

import io.feedkit.survival.KillRun.Outcome;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
        int failed = 0;
        int runs = 0;
        int reached = 0;
        List<Long> resumed = new ArrayList<>();
        try (PostgresServer database = PostgresServer.start(Durability.FAST);
                Broker broker = Broker.start(brokerKind)) {
            for (int seed = 1; seed <= seeds; seed++) {
                for (KillPoint point : KillPoint.values()) {
                    if (point.name().contains(only)) {
                        runs++;
                        try {
                            String run = point.name().toLowerCase(java.util.Locale.ROOT) + "-" + seed;
                            Outcome outcome = new KillRun(database.createDatabase(), broker, point, seed, run).run();
                            reached += outcome.reached() ? 1 : 0;
                            resumed.add(outcome.resumed().toMillis());
                            System.out.printf(
                                    "%s seed %d: %s, %d posts, done after %d ms%n",
                                    point,
                                    seed,
                                    outcome.reached() ? "reached" : "not reached",
                                    outcome.posts(),
                                    outcome.resumed().toMillis());
                        } catch (Exception | AssertionError e) {
                            failed++;
                            System.out.printf("%s seed %d: FAILED%n", point, seed);
                            e.printStackTrace(System.out);
                        }
                    }
                }
            }
        }
        Collections.sort(resumed);
        System.out.printf(
                "%s: %d runs, %d failed, %d at the point; all tasks done after %d ms (median), %d ms (most)%n",
                brokerKind,
                runs,
                failed,
                reached,
                resumed.isEmpty() ? 0 : resumed.get(resumed.size() / 2),
                resumed.isEmpty() ? 0 : resumed.get(resumed.size() - 1));
        return failed == 0 ? 0 : 1;
    }
}
