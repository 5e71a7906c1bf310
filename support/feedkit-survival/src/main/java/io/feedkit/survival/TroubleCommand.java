package io.feedkit.survival;

import io.feedkit.survival.TroubleRun.Recovery;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.PostgresServer;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes every fault happen, with several seeds. */
@Command(
        name = "trouble",
        mixinStandardHelpOptions = true,
        description =
                "Purges, blocks, disconnects and stops parts of a fan-out, and compares all feeds with an oracle.")
final class TroubleCommand implements Callable<Integer> {

    private static final int LENT = 10_000;
    private static final int GONE_MILLIS = 30_000;

    @Option(names = "--broker", defaultValue = "rabbitmq", description = "rabbitmq (default) or kafka.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String brokerKind;

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each trouble (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--trouble", defaultValue = "", description = "Only troubles whose names contain this.")
    @SuppressWarnings("NullAway.Init")
    private String only;

    @Override
    public Integer call() {
        int failed = 0;
        try (PostgresServer database = PostgresServer.start(Durability.DURABLE);
                Broker broker = Broker.start(brokerKind)) {
            for (int seed = 1; seed <= seeds; seed++) {
                for (Trouble trouble : Trouble.values()) {
                    boolean possible = trouble != Trouble.BROKER_BLOCKED || broker.canBlock();
                    if (possible && trouble.name().contains(only)) {
                        try {
                            String run = trouble.name().toLowerCase(Locale.ROOT) + "-" + seed;
                            Recovery recovery =
                                    new TroubleRun(database, broker, trouble, seed, run, LENT, GONE_MILLIS).run();
                            System.out.printf(
                                    "%s seed %d: next task done %d ms after the end of the trouble, all tasks after %d"
                                            + " ms%n",
                                    trouble,
                                    seed,
                                    recovery.first().toMillis(),
                                    recovery.all().toMillis());
                        } catch (Exception | AssertionError e) {
                            failed++;
                            System.out.printf("%s seed %d: FAILED%n", trouble, seed);
                            e.printStackTrace(System.out);
                        }
                    }
                }
            }
        }
        System.out.printf("%s: %d failed%n", brokerKind, failed);
        return failed == 0 ? 0 : 1;
    }
}
