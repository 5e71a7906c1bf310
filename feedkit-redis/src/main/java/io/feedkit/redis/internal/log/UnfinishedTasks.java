package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.FanoutLog.Task;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists unfinished tasks: first those that were never claimed, then the others. A task that is claimed meanwhile is
 * among the others by then. The first are read from the end: new tasks at the end repeat some, but claims at the
 * beginning hide none.
 */
final class UnfinishedTasks {

    private static final String OPERATION = "log.forEachUnfinished";
    private static final String ENDS = "0";
    private static final int AT_ONCE = 500;

    private final RedisLink link;
    private final LogKeys keys;

    UnfinishedTasks(RedisLink link, LogKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    void each(Predicate<List<Task>> visitor) {
        boolean goesOn = true;
        for (int partition = 0; partition < Keys.PARTITIONS && goesOn; partition++) {
            goesOn = eachFresh(partition, visitor) && eachClaimed(partition, visitor);
        }
    }

    private boolean eachFresh(int partition, Predicate<List<Task>> visitor) {
        for (long read = 0; ; read += AT_ONCE) {
            List<byte[]> found = link.run(
                    OPERATION,
                    Effect.READ,
                    Call.of(
                            CommandType.LRANGE,
                            ValueListOutput::new,
                            keys.fresh(partition),
                            Arguments.text(Long.toString(-read - AT_ONCE)),
                            Arguments.text(Long.toString(-read - 1))));
            if (!found.isEmpty()
                    && !visitor.test(found.stream().map(TaskCodec::fresh).toList())) {
                return false;
            }
            if (found.size() < AT_ONCE) {
                return true;
            }
        }
    }

    private boolean eachClaimed(int partition, Predicate<List<Task>> visitor) {
        String cursor = ENDS;
        boolean goesOn = true;
        do {
            List<Object> answer = link.run(
                    OPERATION,
                    Effect.READ,
                    Call.of(
                            CommandType.HSCAN,
                            ArrayOutput::new,
                            keys.tasks(partition),
                            Arguments.text(cursor),
                            Arguments.text("COUNT"),
                            Arguments.number(AT_ONCE)));
            cursor = text(answer.get(0));
            List<Task> tasks = tasks((List<?>) answer.get(1));
            for (int from = 0; from < tasks.size() && goesOn; from += AT_ONCE) {
                goesOn = visitor.test(tasks.subList(from, Math.min(tasks.size(), from + AT_ONCE)));
            }
        } while (goesOn && !cursor.equals(ENDS));
        return goesOn;
    }

    private static List<Task> tasks(List<?> fields) {
        List<Task> tasks = new ArrayList<>(fields.size() / 2);
        for (int i = 0; i < fields.size(); i += 2) {
            tasks.add(TaskCodec.task(text(fields.get(i)), (byte[]) fields.get(i + 1)));
        }
        return tasks;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.US_ASCII);
    }
}
