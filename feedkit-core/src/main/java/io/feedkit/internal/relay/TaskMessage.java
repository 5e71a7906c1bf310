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
 * The messages of a queue. A message is a version, the id of a task and the token of its loan. It has nothing of the
 * task itself, so it never tells anything that is out of date.
 */
final class TaskMessage {

    private static final Pattern VERSION_1 = Pattern.compile("1:([0-9a-f]{1,16}):([!-~]{1,64})");

    private TaskMessage() {}

    static Message of(LentTask lent) {
        Loan loan = lent.loan();
        return new Message(lane(lent.task()), "1:" + Long.toHexString(loan.token()) + ":" + loan.taskId());
    }

    private static Lane lane(Task task) {
        return task.range().equals(KeyRange.ALL) ? Lane.SMALL : Lane.BULK;
    }

    /** The loan that a message names; nothing if the message cannot be read. */
    static Optional<Loan> read(String text) {
        Matcher matcher = VERSION_1.matcher(text);
        return matcher.matches()
                ? Optional.of(new Loan(matcher.group(2), Long.parseUnsignedLong(matcher.group(1), 16)))
                : Optional.empty();
    }
}
