package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.redis.internal.layout.Arguments;
import io.feedkit.redis.internal.layout.ByPartition;
import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.layout.Records;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.Call;
import io.feedkit.redis.internal.link.Effect;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The register in Redis, a part of it in each partition: a hash of entries, a set of posts being retracted, and a random token that every change of either renews. The
 * version of the whole is all tokens together (their exclusive or), so changes in different partitions do not meet, and a snapshot reads those parts again
 * whose tokens changed.
 *
 * <p>A part is read in one step unless it is very large. A larger one is read in pages, after its token: a change made meanwhile shows in the version that is asked for next.
 */
final class RedisPulledRegister implements PulledRegister {

    private static final int CHANGED_AT_ONCE = 100;
    private static final int READ_AT_ONCE = 1000;
    private static final byte[] START = Arguments.text("0");
    private static final byte[] DONE = Arguments.text("-");
    private static final byte[] NO_TOKEN = Arguments.text("-");

    private final RedisLink link;
    private final Keys keys;
    private final Timer timer;
    private volatile List<RegisterPart> known = Collections.nCopies(Keys.PARTITIONS, RegisterPart.EMPTY);

    RedisPulledRegister(RedisLink link, Keys keys, Timer timer) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
    }

    /** Whether an author was pulled at the last snapshot. */
    boolean wasPulled(String author) {
        return known.get(Keys.partition(author)).pulled().containsKey(author);
    }

    @Override
    public long version() {
        List<Call<byte[]>> calls =
                IntStream.range(0, Keys.PARTITIONS).mapToObj(this::token).toList();
        return link.runAll("register.version", Effect.READ, calls).stream()
                .mapToLong(RegisterPart::token)
                .reduce(0, (a, b) -> a ^ b);
    }

    /** Of a string that is not there this is empty. */
    private Call<byte[]> token(int partition) {
        return Call.of(
                CommandType.GETRANGE,
                () -> new ValueOutput<>(ByteArrayCodec.INSTANCE),
                keys.ofPartition("register", partition),
                Arguments.number(0),
                Arguments.number(Long.BYTES - 1));
    }

    @Override
    public Snapshot snapshot() {
        List<RegisterPart> before = known;
        List<List<Object>> pages = link.runAll(
                "register.snapshot",
                Effect.READ,
                IntStream.range(0, Keys.PARTITIONS)
                        .mapToObj(partition ->
                                page(partition, before.get(partition).stored(), START, START))
                        .toList());
        List<RegisterPart> parts = new ArrayList<>();
        for (int partition = 0; partition < Keys.PARTITIONS; partition++) {
            List<Object> page = pages.get(partition);
            RegisterPart part = before.get(partition);
            parts.add(part.token() == token(page) ? part : read(partition, page));
        }
        known = List.copyOf(parts);
        return snapshot(parts);
    }

    private static Snapshot snapshot(List<RegisterPart> parts) {
        long version = 0;
        Map<String, Entry> pulled = new HashMap<>();
        Set<PostKey> retracting = new HashSet<>();
        for (RegisterPart part : parts) {
            version ^= part.token();
            pulled.putAll(part.pulled());
            retracting.addAll(part.retracting());
        }
        return new Snapshot(version, pulled, retracting);
    }

    private Call<List<Object>> page(int partition, byte[] knownToken, byte[] pulled, byte[] retracting) {
        return Scripts.PAGE.on(
                List.of(
                        keys.ofPartition("register", partition),
                        keys.ofPartition("pulled", partition),
                        keys.ofPartition("retracting", partition)),
                List.of(timer.now(), knownToken, pulled, retracting, Arguments.number(READ_AT_ONCE)));
    }

    /** All of a part, of which this is the first page. */
    private RegisterPart read(int partition, List<Object> first) {
        List<Object> page = first;
        RegisterPart part = new RegisterPart(token(first), Map.of(), Set.of());
        while (true) {
            part = part.and((List<?>) page.get(2), (List<?>) page.get(4));
            byte[] pulled = cursor(page.get(1));
            byte[] retracting = cursor(page.get(3));
            if (Arrays.equals(pulled, DONE) && Arrays.equals(retracting, DONE)) {
                return part;
            }
            page = link.run("register.snapshot", Effect.READ, page(partition, NO_TOKEN, pulled, retracting));
        }
    }

    private static long token(List<Object> page) {
        return RegisterPart.token((byte[]) page.get(0));
    }

    private static byte[] cursor(Object answered) {
        byte[] cursor = (byte[]) answered;
        return Arrays.equals(cursor, START) ? DONE : cursor;
    }

    @Override
    public void put(List<Post> unpushed) {
        Map<String, Unpushed> byAuthor = new LinkedHashMap<>();
        unpushed.forEach(post -> byAuthor.merge(post.author(), Unpushed.of(post), Unpushed::and));
        ByPartition<Unpushed> split =
                ByPartition.of(List.copyOf(byAuthor.values()), Unpushed::partition, CHANGED_AT_ONCE);
        link.runAll(
                "register.put",
                Effect.WRITE,
                split.each(share ->
                        Scripts.PUT.on(keysOf(share.partition(), "pulled"), share.values(same(), Unpushed::values))));
    }

    @Override
    public boolean remove(String author, long version) {
        List<byte[]> arguments = new ArrayList<>(same());
        arguments.add(Arguments.text(author));
        arguments.add(Arguments.token(version));
        Call<Long> call = Scripts.REMOVE.on(keysOf(Keys.partition(author), "pulled"), arguments);
        return link.run("register.remove", Effect.WRITE, call) == 1;
    }

    @Override
    public void retracted(List<PostKey> retracted) {
        ByPartition<PostKey> split = ByPartition.of(retracted, key -> Keys.partition(key.author()), CHANGED_AT_ONCE);
        link.runAll(
                "register.retracted",
                Effect.WRITE,
                split.each(share -> Scripts.RETRACTED.on(
                        keysOf(share.partition(), "retracting"),
                        share.values(same(), key -> List.of(RegisterPart.retracting(key))))));
    }

    private List<byte[]> keysOf(int partition, String kind) {
        return List.of(keys.ofPartition("register", partition), keys.ofPartition(kind, partition));
    }

    private List<byte[]> same() {
        return List.of(timer.now(), Arguments.token(Arguments.newToken()));
    }

    /** The lowest and the highest of an author's posts. */
    private record Unpushed(String author, Position oldest, Position newest) {

        static Unpushed of(Post post) {
            Position position = Position.of(post);
            return new Unpushed(post.author(), position, position);
        }

        Unpushed and(Unpushed other) {
            return new Unpushed(author, Position.min(oldest, other.oldest), Position.max(newest, other.newest));
        }

        int partition() {
            return Keys.partition(author);
        }

        List<byte[]> values() {
            return List.of(Arguments.text(author), Records.of(oldest), Records.of(newest));
        }
    }
}
