package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Dead;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.TaskState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the unfinished and dead tasks of an author. All of them are in the author's partition, which has no index by
 * author. So a search looks at the tasks of the partition in steps, one script for each, and in three places: the fresh
 * tasks, the tasks that were claimed before, and the dead letters.
 */
final class TaskSearch {

    /** How many tasks one script looks at: about a millisecond of the server's time. */
    private static final int AT_ONCE = 1000;

    private static final int VALUES = 3;

    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    TaskSearch(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    Found find(String author, int among) {
        Walk walk = new Walk(author, among);
        boolean whole = walk.to("F", "0");
        whole &= walk.to("T", "0");
        whole &= walk.to("D", "");
        return new Found(walk.found, whole);
    }

    /** One search. */
    private final class Walk {

        private final List<byte[]> on;
        private final byte[] author;
        private final int among;
        private final List<FoundTask> found = new ArrayList<>();

        Walk(String author, int among) {
            this.on = keys.withDead(Keys.partition(author));
            this.author = PositionCodec.author(author);
            this.among = among;
        }

        /** Looks at one place. Returns whether all tasks there were looked at. */
        boolean to(String place, String begin) {
            byte[] from = begin.getBytes(StandardCharsets.ISO_8859_1);
            for (int seen = 0; seen < among; seen += AT_ONCE) {
                List<byte[]> arguments = List.of(
                        clock.now(),
                        Arguments.text(place),
                        from,
                        Arguments.number(Math.min(AT_ONCE, among - seen)),
                        author);
                List<Object> answer = link.run("log.find", Effect.READ, LogScripts.FIND.on(on, arguments));
                for (int i = 1; i < answer.size(); i += VALUES) {
                    found.add(
                            place.equals("D")
                                    ? dead((byte[]) answer.get(i))
                                    : task((byte[]) answer.get(i), (byte[]) answer.get(i + 1), (byte[])
                                            answer.get(i + 2)));
                }
                from = (byte[]) answer.get(0);
                if (from.length == 0) {
                    return true;
                }
            }
            return false;
        }
    }

    private static FoundTask task(byte[] id, byte[] record, byte[] state) {
        ByteBuffer bytes = ByteBuffer.wrap(state);
        return new FoundTask(
                TaskCodec.task(new String(id, StandardCharsets.US_ASCII), ByteBuffer.wrap(record)),
                switch (bytes.get(0)) {
                    case 'L' -> TaskState.LEASED;
                    case 'B' -> TaskState.LENT;
                    default -> TaskState.WAITING;
                },
                TaskCodec.millis(bytes, 1),
                "");
    }

    private static FoundTask dead(byte[] entry) {
        Dead dead = TaskCodec.dead(entry);
        return new FoundTask(dead.task(), TaskState.DEAD, dead.died(), dead.reason());
    }
}
