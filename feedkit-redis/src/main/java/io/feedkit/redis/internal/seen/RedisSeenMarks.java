package io.feedkit.redis.internal.seen;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.IdScan;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Marks in Redis: for each reader who has one, a string with the format version and the reader's {@link SeenPosts}. A
 * mark is replaced only if it is still the expected one. Otherwise the script returns the present mark, which is
 * expected at the next try.
 */
public final class RedisSeenMarks implements SeenMarks {

    private static final Script<byte[]> SWAP = Script.bytes("seen/swap");
    private static final byte VERSION = 2;

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
        change("seenMarks.markSeen", seen, SeenPosts::and);
    }

    @Override
    public void reset(List<Seen> seen) {
        change("seenMarks.reset", seen, (before, posts) -> posts);
    }

    private void change(String operation, List<Seen> seen, BinaryOperator<SeenPosts> merge) {
        Map<String, SeenPosts> added = new LinkedHashMap<>();
        seen.forEach(mark -> added.merge(mark.reader(), mark.posts(), merge));
        List<String> readers = List.copyOf(added.keySet());
        List<SeenPosts> stored = lastSeen(readers);
        while (!readers.isEmpty()) {
            List<String> changed = new ArrayList<>();
            List<Call<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < readers.size(); i++) {
                String reader = readers.get(i);
                SeenPosts known = stored.get(i);
                SeenPosts next = merge.apply(known, added.getOrDefault(reader, SeenPosts.NOTHING));
                if (!next.equals(known)) {
                    changed.add(reader);
                    calls.add(SWAP.on(List.of(key(reader)), List.of(clock.now(), bytes(known), bytes(next))));
                }
            }
            readers = changed;
            stored = posts(readers, link.runAll(operation, Effect.WRITE, calls));
        }
    }

    @Override
    public List<SeenPosts> lastSeen(List<String> readers) {
        List<byte[]> marks = link.runAll(
                "seenMarks.lastSeen",
                Effect.READ,
                readers.stream().map(this::mark).toList());
        return posts(readers, marks);
    }

    private List<SeenPosts> posts(List<String> readers, List<byte[]> marks) {
        return IntStream.range(0, readers.size())
                .mapToObj(i -> posts(readers.get(i), marks.get(i)))
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

    private SeenPosts posts(String reader, byte[] mark) {
        if (mark.length == 0) {
            return SeenPosts.NOTHING;
        }
        if (mark[0] != VERSION) {
            throw new StoreUnavailableException(
                    "seenMarks.lastSeen",
                    new IllegalStateException("the key does not hold a mark of version " + VERSION + ": "
                            + new String(key(reader), StandardCharsets.US_ASCII)));
        }
        return SeenPosts.of(Arrays.copyOfRange(mark, 1, mark.length));
    }

    /** The bytes of a mark; empty if it has no posts, because then there is no key. */
    private static byte[] bytes(SeenPosts posts) {
        if (posts.equals(SeenPosts.NOTHING)) {
            return new byte[0];
        }
        byte[] bytes = posts.toBytes();
        return ByteBuffer.allocate(1 + bytes.length).put(VERSION).put(bytes).array();
    }

    private byte[] key(String reader) {
        return keys.ofUser("seen", reader);
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        new IdScan(link, keys).each("seenMarks.forEachReader", List.of("seen"), visitor);
    }
}
