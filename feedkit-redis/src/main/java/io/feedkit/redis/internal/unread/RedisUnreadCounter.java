package io.feedkit.redis.internal.unread;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.layout.Buckets;
import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.layout.Records;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.Call;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.redis.internal.link.Script;
import io.feedkit.spi.Position;
import io.feedkit.spi.UnreadCounter;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The marks in Redis: for each reader who has one a string, which is the version of the format and a record. */
public final class RedisUnreadCounter implements UnreadCounter {

    private static final Script<Long> RAISE = Script.number("unread/raise");
    private static final byte VERSION = 1;

    private final RedisLink link;
    private final Keys keys;
    private final Timer timer;

    /** The marks of an application on a server. */
    public RedisUnreadCounter(RedisLink link, Keys keys, Timer timer) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
    }

    @Override
    public void markSeen(List<Seen> seen) {
        List<Call<Long>> calls = new ArrayList<>();
        for (List<Seen> part : Buckets.parts(seen, Seen::reader)) {
            List<byte[]> arguments = new ArrayList<>(List.of(timer.now()));
            part.forEach(mark -> arguments.add(Records.of(mark.position())));
            calls.add(RAISE.on(part.stream().map(mark -> key(mark.reader())).toList(), arguments));
        }
        link.runAll("unread.markSeen", Effect.WRITE, calls);
    }

    @Override
    public List<Position> lastSeen(List<String> readers) {
        List<String> asked = readers.stream().distinct().toList();
        List<List<String>> parts = Buckets.parts(asked, reader -> reader);
        List<List<byte[]>> answers = link.runAll(
                "unread.lastSeen", Effect.READ, parts.stream().map(this::marks).toList());
        Map<String, Position> marks = new HashMap<>();
        for (int p = 0; p < parts.size(); p++) {
            for (int i = 0; i < parts.get(p).size(); i++) {
                String reader = parts.get(p).get(i);
                marks.put(reader, position(reader, answers.get(p).get(i)));
            }
        }
        return readers.stream()
                .map(reader -> marks.getOrDefault(reader, Position.LOWEST))
                .toList();
    }

    private Call<List<byte[]>> marks(List<String> readers) {
        return Call.of(
                CommandType.MGET,
                () -> new ValueListOutput<>(ByteArrayCodec.INSTANCE),
                key(readers.get(0)),
                readers.stream().skip(1).map(this::key).toArray(byte[][]::new));
    }

    @Override
    public void forget(Collection<String> readers) {
        List<Call<Long>> calls = readers.stream()
                .map(reader ->
                        Call.of(CommandType.DEL, () -> new IntegerOutput<>(ByteArrayCodec.INSTANCE), key(reader)))
                .toList();
        link.runAll("unread.forget", Effect.WRITE, calls);
    }

    private Position position(String reader, byte @Nullable [] mark) {
        if (mark == null) {
            return Position.LOWEST;
        }
        if (mark.length == 0 || mark[0] != VERSION) {
            throw new StoreUnavailableException(
                    "unread.lastSeen",
                    new IllegalStateException(
                            "not a mark of version 1: " + new String(key(reader), StandardCharsets.US_ASCII)));
        }
        return Records.position(mark, 1);
    }

    private byte[] key(String reader) {
        return keys.ofUser("seen", reader);
    }
}
