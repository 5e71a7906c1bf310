package io.feedkit.survival.live;

import io.feedkit.survival.live.LiveRun.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs every scenario with several seeds. */
@Command(
        name = "live",
        mixinStandardHelpOptions = true,
        description = "Makes buses, engines, stores and subscribers of live feeds fail while authors publish, and "
                + "compares what each client received with an oracle.")
public final class LiveCommand implements Callable<Integer> {

    @Option(names = "--seeds", defaultValue = "1", description = "Runs of each scenario (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--first-seed", defaultValue = "1", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long firstSeed;

    @Option(
            names = "--scenario",
            defaultValue = "",
            description = "Only scenarios whose names contain this: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Names.class)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String only;

    @Option(
            names = "--down",
            defaultValue = "30",
            description = "How many seconds Redis or PostgreSQL is down (default: ${DEFAULT-VALUE}).")
    private int downSeconds;

    @Option(
            names = "--reconnects",
            defaultValue = "10000",
            description = "How many clients reconnect at once (default: ${DEFAULT-VALUE}).")
    private int reconnects;

    /** For the command line. */
    public LiveCommand() {}

    /** The names of the scenarios. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Names() {
            for (Scenario each : Scenario.values()) {
                add(each.name());
            }
        }
    }

    @Override
    public Integer call() {
        int runs = 0;
        int failed = 0;
        Totals totals = new Totals();
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            for (Scenario scenario : Scenario.values()) {
                if (scenario.name().contains(only)) {
                    runs++;
                    try (LiveRun run = new LiveRun(scenario, seed, Duration.ofSeconds(downSeconds), reconnects)) {
                        Outcome outcome = run.run();
                        System.out.printf("%s seed %d: %s%n", scenario, seed, outcome);
                        outcome.violations().forEach(violation -> System.out.println("  VIOLATION " + violation));
                        failed += outcome.violations().isEmpty() ? 0 : 1;
                        totals.add(outcome);
                    } catch (Exception | AssertionError e) {
                        failed++;
                        System.out.printf("%s seed %d: FAILED%n", scenario, seed);
                        e.printStackTrace(System.out);
                    }
                }
            }
        }
        System.out.printf("%d runs, %d failed; %s%n", runs, failed, totals);
        return failed == 0 ? 0 : 1;
    }

    /** The sums of all runs. */
    private static final class Totals {
        private long clients;
        private long subscriptions;
        private long posts;
        private long deletes;
        private long follows;
        private long events;
        private long catchUps;

        void add(Outcome outcome) {
            clients += outcome.clients();
            subscriptions += outcome.subscriptions();
            posts += outcome.posts();
            deletes += outcome.deletes();
            follows += outcome.follows();
            events += outcome.events();
            catchUps += outcome.catchUps();
        }

        @Override
        public String toString() {
            return "%d clients, %d subscriptions, ".formatted(clients, subscriptions)
                    + "%d posts, %d deletes, %d follows and unfollows, ".formatted(posts, deletes, follows)
                    + "%d events, %d of catch up".formatted(events, catchUps);
        }
    }
}
