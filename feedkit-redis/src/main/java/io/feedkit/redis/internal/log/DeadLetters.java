package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Dead;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The dead letters, in the order of their ids, which is the order of the partitions and of the members in each. */
final class DeadLetters {

    private static final int LONGEST_REASON = 500;
    private static final int IDS_AT_ONCE = 100;

    /** Sorts behind all members that begin with an id. No member has this byte behind its id, where its time begins. */
    private static final String ABOVE = "\u00ff";

    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    DeadLetters(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        List<byte[]> arguments = List.of(
                clock.now(),
                Arguments.text(claim.task().id()),
                Arguments.token(claim.lease()),
                cut(reason).getBytes(StandardCharsets.UTF_8),
                Arguments.number(attempts));
        List<byte[]> of = keys.withDead(TaskIds.partition(claim));
        return link.run("log.moveToDeadLetters", Effect.WRITE, LogScripts.MOVE_TO_DEAD_LETTERS.on(of, arguments)) == 1;
    }

    /** Shortens a reason, but not between the two halves of a surrogate pair. */
    private static String cut(String reason) {
        return reason.length() <= LONGEST_REASON
                ? reason
                : reason.substring(0, reason.offsetByCodePoints(LONGEST_REASON - 1, 1));
    }

    List<Dead> list(String after, int limit) {
        List<Dead> dead = new ArrayList<>();
        for (int partition = TaskIds.partition(after); partition < Keys.PARTITIONS; partition++) {
            Call<List<byte[]>> call = Call.of(
                    CommandType.ZRANGEBYLEX,
                    ValueListOutput::new,
                    keys.dead(partition),
                    above(after),
                    Arguments.text("+"),
                    Arguments.text("LIMIT"),
                    Arguments.number(0),
                    Arguments.number(limit - dead.size()));
            link.run("log.dead", Effect.READ, call).forEach(entry -> dead.add(TaskCodec.dead(entry)));
            if (dead.size() == limit) {
                break;
            }
        }
        return Collections.unmodifiableList(dead);
    }

    /** The lower bound of members with a higher id. The argument need not be a complete id. */
    private static byte[] above(String after) {
        String bound = after.length() < TaskIds.LENGTH ? "[" + after : "(" + after.substring(0, TaskIds.LENGTH) + ABOVE;
        return bound.getBytes(StandardCharsets.ISO_8859_1);
    }

    int replay(Collection<String> ids) {
        return change("log.replay", LogScripts.REPLAY, ids);
    }

    int discard(Collection<String> ids) {
        return change("log.discard", LogScripts.DISCARD, ids);
    }

    /** Runs a script that takes ids of dead letters, and returns the number of dead letters that it found. */
    private int change(String operation, Script<Long> script, Collection<String> ids) {
        PartitionBatcher<String> split = PartitionBatcher.of(List.copyOf(ids), TaskIds::partition, IDS_AT_ONCE);
        List<byte[]> same = List.of(clock.now());
        List<Long> changed = link.runAll(
                operation,
                Effect.WRITE,
                split.each(batch -> script.on(
                        keys.withDead(batch.partition()), batch.values(same, id -> List.of(Arguments.text(id))))));
        return changed.stream().mapToInt(Long::intValue).sum();
    }
}
