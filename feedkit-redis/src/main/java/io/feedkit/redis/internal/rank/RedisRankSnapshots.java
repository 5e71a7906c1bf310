package io.feedkit.redis.internal.rank;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.RankSnapshots;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The orders of ranked feeds in Redis: for each reader who has some, a hash with a field for each snapshot and a list
 * of them. Each step is one script, and so atomic. The key expires when the last snapshot of its reader does; a save
 * removes those that have ended before.
 */
public final class RedisRankSnapshots implements RankSnapshots {

    private static final String COMMON = "rank/common";
    private static final Script<Long> SAVE = Script.number(COMMON, "rank/save");
    private static final Script<byte[]> LOAD = Script.bytes(COMMON, "rank/load");

    private final Link link;
    private final Keys keys;
    private final ScriptClock clock;

    /** The snapshots of an application on a server. */
    public RedisRankSnapshots(Link link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public void save(String reader, String name, byte[] order, long lifetimeMillis) {
        List<byte[]> arguments = List.of(
                clock.now(), Arguments.text(name), order, Arguments.millis(lifetimeMillis), Arguments.number(KEPT));
        link.run("rankSnapshots.save", Effect.WRITE, SAVE.on(List.of(key(reader)), arguments));
    }

    @Override
    public Optional<byte[]> load(String reader, String name) {
        List<byte[]> arguments = List.of(clock.now(), Arguments.text(name));
        byte[] order = link.run("rankSnapshots.load", Effect.READ, LOAD.on(List.of(key(reader)), arguments));
        return order.length == 0 ? Optional.empty() : Optional.of(order);
    }

    @Override
    public void forget(Collection<String> readers) {
        List<Call<Long>> calls = readers.stream()
                .map(reader -> Call.of(CommandType.DEL, IntegerOutput::new, key(reader)))
                .toList();
        link.runAll("rankSnapshots.forget", Effect.WRITE, calls);
    }

    private byte[] key(String reader) {
        return keys.ofUser("ranks", reader);
    }
}
