package io.feedkit.redis.internal.seen;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Marks in Redis: for each reader who has one, a string with the format version and a position. */
public final class RedisSeenMarks implements SeenMarks {

    private static final Script<Long> RAISE = Script.number("seen/raise");
    private static final byte VERSION = 1;

    /** How many marks one script raises. It takes the server a tenth of a millisecond or two. */
    private static final int AT_ONCE = 100;

    private final RedisLink link;
    private final Keys keys;
    private final ScriptClock clock;

    /** The marks of an application on a server. */
    public RedisSeenMarks(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public void markSeen(List<Seen> seen) {
        List<byte[]> same = List.of(clock.now());
        link.runAll(
                "seenMarks.markSeen",
                Effect.WRITE,
                PartitionBatcher.of(seen, mark -> Keys.bucket(mark.reader()), AT_ONCE)
                        .each(batch -> RAISE.on(
                                batch.items().stream()
                                        .map(mark -> key(mark.reader()))
                                        .toList(),
                                batch.values(same, mark -> List.of(PositionCodec.of(mark.position()))))));
    }

    @Override
    public List<Position> lastSeen(List<String> readers) {
        List<byte[]> marks = link.runAll(
                "seenMarks.lastSeen",
                Effect.READ,
                readers.stream().map(this::mark).toList());
        return IntStream.range(0, readers.size())
                .mapToObj(i -> position(readers.get(i), marks.get(i)))
                .toList();
    }

    /** The answer is empty if there is no mark. */
    private Call<byte[]> mark(String reader) {
        return Call.of(CommandType.GETRANGE, ValueOutput::new, key(reader), Arguments.number(0), Arguments.text("-1"));
    }

    @Override
    public void forget(Collection<String> readers) {
        List<Call<Long>> calls = readers.stream()
                .map(reader -> Call.of(CommandType.DEL, IntegerOutput::new, key(reader)))
                .toList();
        link.runAll("seenMarks.forget", Effect.WRITE, calls);
    }

    private Position position(String reader, byte[] mark) {
        if (mark.length == 0) {
            return Position.LOWEST;
        }
        if (mark[0] != VERSION) {
            throw new StoreUnavailableException(
                    "seenMarks.lastSeen",
                    new IllegalStateException("the key does not hold a mark of version 1: "
                            + new String(key(reader), StandardCharsets.US_ASCII)));
        }
        return PositionCodec.position(mark, 1);
    }

    private byte[] key(String reader) {
        return keys.ofUser("seen", reader);
    }
}
