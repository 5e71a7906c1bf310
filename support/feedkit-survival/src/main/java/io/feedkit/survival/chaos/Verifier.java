package io.feedkit.survival.chaos;

import io.feedkit.survival.chaos.Answer.Outcome;
import java.util.List;
import java.util.Random;

/** Runs {@code verify} with repair on one engine after the other. Used by one thread. */
final class Verifier {

    private static final int PAUSE_MILLIS = 5000;
    private static final long SHORT_MILLIS = 1000;

    private final Clients clients;
    private final Random random;
    private int runs;
    private int failed;
    private long found;

    Verifier(Clients clients, Random random) {
        this.clients = clients;
        this.random = random;
    }

    void step() {
        Clients.pause(random, PAUSE_MILLIS);
        // Longer than other calls may take: it waits for a lease, and for stores that do not answer.
        Answer answer = clients.any(random).ask("verify " + OpenEngine.LEASE.toMillis());
        if (answer.isOk()) {
            runs++;
            found += count(answer);
        } else {
            failed++;
        }
        if (answer.outcome() == Outcome.FAILED) {
            clients.report().add(new Violation(Rule.TYPED_FAILURE, "verify on " + answer.engine() + ": " + answer));
        }
    }

    private static long count(Answer answer) {
        return Long.parseLong(answer.text().substring(0, answer.text().indexOf(' ')));
    }

    /** Repairs what is left when no fault is under way. Then nothing may be found any more. */
    void last() {
        Seat seat = clients.seats().get(0);
        Answer unused = seat.ask("verify " + SHORT_MILLIS);
        Answer answer = seat.ask("verify " + SHORT_MILLIS);
        if (!answer.isOk() || count(answer) > 0) {
            clients.report()
                    .add(List.of(new Violation(
                            Rule.FINAL_STATE, "verify after a repair: " + answer + ", after " + unused.text())));
        }
    }

    String summary() {
        return "%d runs of verify found %d differences, %d could not end".formatted(runs, found, failed);
    }
}
