package io.feedkit.bench.redis.layouts;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A structure for an inbox of 1000 entries: how it is filled, how a script adds a newest entry to existing inboxes, and
 * how the newest entries are read.
 */
enum Layout {
    SET_OF_IDS("a sorted set of ids, the time as score") {
        @Override
        List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return List.of(commands.zadd(inbox, scored(0, ENTRIES, i -> ScoredValue.just(millis(i), id(i)))));
        }

        @Override
        String script() {
            return eachKey("redis.call('ZADD', key, ARGV[2], ARGV[3]) redis.call('ZREMRANGEBYRANK', key, 0, -1001)");
        }

        @Override
        RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return commands.zrevrange(inbox, 0, PAGE - 1);
        }
    },
    SET_OF_RECORDS("a sorted set of records, all scores 0") {
        @Override
        List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return List.of(commands.zadd(inbox, scored(0, ENTRIES, i -> ScoredValue.just(0, record(i)))));
        }

        @Override
        String script() {
            return eachKey("redis.call('ZADD', key, 0, ARGV[1]) redis.call('ZREMRANGEBYRANK', key, 0, -1001)");
        }

        @Override
        RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return commands.zrevrange(inbox, 0, PAGE - 1);
        }
    },
    SMALL_SETS("sorted sets of 120 records at most") {
        @Override
        List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            List<RedisFuture<?>> answers = new ArrayList<>();
            for (int from = 0; from < ENTRIES; from += SMALL) {
                byte[] part = part(inbox, from / SMALL);
                answers.add(commands.zadd(
                        part, scored(from, Math.min(from + SMALL, ENTRIES), i -> ScoredValue.just(0, record(i)))));
            }
            return answers;
        }

        @Override
        byte[] key(byte[] inbox) {
            return part(inbox, ENTRIES / SMALL);
        }

        @Override
        String script() {
            return eachKey("redis.call('ZADD', key, 0, ARGV[1])"
                    + " if redis.call('ZCARD', key) > 119 then redis.call('ZREMRANGEBYRANK', key, 0, 0) end");
        }

        @Override
        RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return commands.zrevrange(inbox, 0, PAGE - 1);
        }
    },
    LIST("a list of records, trimmed one time in 125") {
        @Override
        List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return List.of(commands.rpush(
                    inbox, IntStream.range(0, ENTRIES).mapToObj(Layout::record).toArray(byte[][]::new)));
        }

        @Override
        String script() {
            return "for _, key in ipairs(KEYS) do local last = redis.call('LINDEX', key, -1)"
                    + " if last and last < ARGV[1] and redis.call('RPUSH', key, ARGV[1]) > 1125 then"
                    + " redis.call('LTRIM', key, -1000, -1) end end";
        }

        @Override
        RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return commands.lrange(inbox, -PAGE, -1);
        }
    },
    STRING("a string of records, rewritten one time in 125") {
        @Override
        List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            List<RedisFuture<?>> answers = new ArrayList<>();
            for (int from = 0; from < ENTRIES; from += APPENDED) {
                ByteArrayOutputStream records = new ByteArrayOutputStream();
                IntStream.range(from, from + APPENDED).mapToObj(Layout::record).forEach(records::writeBytes);
                answers.add(commands.append(inbox, records.toByteArray()));
            }
            return answers;
        }

        @Override
        String script() {
            return "for _, key in ipairs(KEYS) do local last = redis.call('GETRANGE', key, -21, -1)"
                    + " if last ~= '' and last < ARGV[1] and redis.call('APPEND', key, ARGV[1]) > 1125 * 21 then"
                    + " redis.call('SET', key, redis.call('GETRANGE', key, -21000, -1)) end end";
        }

        @Override
        RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox) {
            return commands.getrange(inbox, -PAGE * RECORD, -1);
        }
    };

    static final int ENTRIES = 1000;

    private static final int PAGE = 20;
    private static final int SMALL = 120;
    private static final int APPENDED = 50;
    private static final int RECORD = 21;
    private static final int TIME = 6;
    private static final int AUTHOR = 7;
    private static final long FIRST_MILLIS = 1_730_000_000_000L;
    private static final long FIRST_ID = 1_730_000_000_000_000_000L;
    private static final long IDS_APART = 4_194_304_123L;

    private final String words;

    Layout(String words) {
        this.words = words;
    }

    /** Writes an inbox. */
    abstract List<RedisFuture<?>> fill(RedisAsyncCommands<byte[], byte[]> commands, byte[] inbox);

    /**
     * The script that adds an entry to each of its keys with an inbox, and trims the inbox to about 1000 entries. Its
     * arguments are those of {@link #entry}.
     */
    abstract String script();

    abstract RedisFuture<?> newest(RedisAsyncCommands<byte[], byte[]> commands, byte[] key);

    /** The key with the newest entries. */
    byte[] key(byte[] inbox) {
        return inbox;
    }

    String words() {
        return words;
    }

    /** An entry, by its number: as a record, and as time and id. */
    static byte[][] entry(int i) {
        return new byte[][] {record(i), Long.toString((long) millis(i)).getBytes(US_ASCII), id(i)};
    }

    /** Time, id and author, together in the order of a feed. */
    private static byte[] record(int i) {
        byte[] time = ByteBuffer.allocate(Long.BYTES).putLong((long) millis(i)).array();
        return ByteBuffer.allocate(RECORD)
                .put(time, Long.BYTES - TIME, TIME)
                .putLong(FIRST_ID + i * IDS_APART)
                .put(new byte[AUTHOR])
                .array();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
    private static ScoredValue<byte[]>[] scored(int from, int below, IntFunction<ScoredValue<byte[]>> entry) {
        return IntStream.range(from, below).mapToObj(entry).toArray(ScoredValue[]::new);
    }

    private static double millis(int i) {
        return FIRST_MILLIS + 1000.0 * i;
    }

    private static byte[] id(int i) {
        return Long.toString(FIRST_ID + i * IDS_APART).getBytes(US_ASCII);
    }

    private static byte[] part(byte[] inbox, int number) {
        return (new String(inbox, US_ASCII) + ":" + number).getBytes(US_ASCII);
    }

    private static String eachKey(String step) {
        return "for _, key in ipairs(KEYS) do if redis.call('EXISTS', key) == 1 then " + step + " end end";
    }
}
