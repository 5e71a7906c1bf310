package io.feedkit.internal.relay;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message of a queue: a version, the identity of the source of truth that has the task, the token of the task's loan
 * and the id of the task. It has no content of the task itself, so it is never out of date.
 */
record TaskMessage(String identity, Loan loan) {

    private static final Pattern VERSION_1 = Pattern.compile("1:([0-9A-Za-z_-]{1,64}):([0-9a-f]{1,16}):([!-~]{1,64})");

    /** The message for a lent task. */
    static Message of(String identity, LentTask lent) {
        Loan loan = lent.loan();
        return new Message(
                lane(lent.task()), "1:" + identity + ":" + Long.toHexString(loan.token()) + ":" + loan.taskId());
    }

    private static Lane lane(Task task) {
        return task.range().equals(KeyRange.ALL) ? Lane.SMALL : Lane.BULK;
    }

    /** Parses a message; empty if it cannot be parsed. */
    static Optional<TaskMessage> read(String text) {
        Matcher matcher = VERSION_1.matcher(text);
        return matcher.matches()
                ? Optional.of(new TaskMessage(
                        matcher.group(1), new Loan(matcher.group(3), Long.parseUnsignedLong(matcher.group(2), 16))))
                : Optional.empty();
    }
}
