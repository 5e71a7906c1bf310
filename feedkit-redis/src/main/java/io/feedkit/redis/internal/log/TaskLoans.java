package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Loan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Exchanges loans for leases. One script exchanges up to a hundred loans of one partition. */
final class TaskLoans {

    private static final int AT_ONCE = 100;

    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    TaskLoans(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
        long token = TaskTokens.ofLease();
        PartitionBatcher<Loan> split = PartitionBatcher.of(loans, loan -> TaskIds.partition(loan.taskId()), AT_ONCE);
        List<byte[]> same = List.of(clock.now(), Arguments.millis(leaseMillis), Arguments.token(token));
        List<Object> records = split.inPlace(link.runAll(
                "log.take",
                Effect.WRITE,
                split.each(batch ->
                        LogScripts.TAKE.on(keys.of(batch.partition()), batch.values(same, TaskLoans::values)))));
        List<Optional<Claim>> claims = new ArrayList<>(loans.size());
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer record = ByteBuffer.wrap((byte[]) records.get(i));
            String id = loans.get(i).taskId();
            claims.add(
                    record.hasRemaining()
                            ? Optional.of(new Claim(TaskCodec.task(id, record), token))
                            : Optional.empty());
        }
        return Collections.unmodifiableList(claims);
    }

    private static List<byte[]> values(Loan loan) {
        return List.of(Arguments.text(loan.taskId()), Arguments.token(loan.token()));
    }
}
