package io.feedkit.internal.relay;

import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends messages for lent tasks to the queue. If the queue does not confirm a message, its task goes back to the log at
 * once. Thread-safe.
 */
final class MessageSender {

    private final String identity;
    private final FanoutLog fanoutLog;
    private final FanoutQueue queue;

    MessageSender(String identity, FanoutLog fanoutLog, FanoutQueue queue) {
        this.identity = identity;
        this.fanoutLog = fanoutLog;
        this.queue = queue;
    }

    /** Sends the messages. Returns the loans of unconfirmed messages to the log, and to the caller. */
    List<Loan> send(List<LentTask> lent) {
        List<Loan> unconfirmed =
                new ArrayList<>(lent.stream().map(LentTask::loan).toList());
        try {
            List<Sent> sent = queue.send(
                    lent.stream().map(task -> TaskMessage.of(identity, task)).toList());
            for (int i = lent.size() - 1; i >= 0; i--) {
                if (sent.get(i) == Sent.CONFIRMED) {
                    unconfirmed.remove(i);
                }
            }
        } finally {
            if (!unconfirmed.isEmpty()) {
                fanoutLog.returnLoans(unconfirmed);
            }
        }
        return unconfirmed;
    }
}
