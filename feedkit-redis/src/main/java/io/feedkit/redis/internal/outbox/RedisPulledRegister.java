package io.feedkit.redis.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PositionCodec;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The register in Redis, a part of it in each partition: a hash of entries, a set of posts being retracted, and a random token that every change of either renews. The
 * version of the whole is all tokens together (their exclusive or), so changes in different partitions do not meet, and a snapshot reads those parts again
 * whose tokens changed: those at once that had changed by the last answer about the version, which is why there is a snapshot, most of the time.
 *
 * <p>A part is read in one step unless it is very large. A larger one is read in pages, after its token: a change made meanwhile shows in the version that is asked for next.
 */
final class RedisPulledRegister implements PulledRegister {

    private static final String SNAPSHOT = "register.snapshot";
    private static final int CHANGED_AT_ONCE = 100;
    private static final int READ_AT_ONCE = 1000;
    private static final byte[] START = Arguments.text("0");
    private static final byte[] DONE = Arguments.text("-");

    private final RedisLink link;
    private final Keys keys;
    private final ScriptClock timer;
    private final PartitionBatcher<Integer> partitions;
    private final List<Call<List<byte[]>>> tokens;
    private volatile List<RegisterPart> known = Collections.nCopies(Keys.PARTITIONS, RegisterPart.EMPTY);
    private volatile List<Long> lately = Collections.nCopies(Keys.PARTITIONS, RegisterPart.EMPTY.token());

    RedisPulledRegister(RedisLink link, Keys keys, ScriptClock timer) {
        this.link = link;
        this.keys = keys;
        this.timer = timer;
        partitions = PartitionBatcher.of(
                IntStream.range(0, Keys.PARTITIONS).boxed().toList(),
                link.apart(partition -> partition),
                Keys.PARTITIONS);
        tokens = partitions.each(share -> OutboxCommands.strings(share.items().stream()
                .map(partition -> keys.ofPartition("register", partition))
                .toList()));
    }

    /** Whether an author was pulled at the last snapshot. */
    boolean wasPulled(String author) {
        return known.get(Keys.partition(author)).pulled().containsKey(author);
    }

    @Override
    public long version() {
        return askVersion().getAsLong();
    }

    /** No token is used twice, so no version returns. */
    @Override
    public Optional<LongSupplier> versionLater() {
        return Optional.of(askVersion());
    }

    private LongSupplier askVersion() {
        Supplier<List<Long>> asked = askTokens("register.version");
        return () -> {
            List<Long> now = asked.get();
            lately = now;
            return now.stream().mapToLong(token -> token).reduce(0, (a, b) -> a ^ b);
        };
    }

    private Supplier<List<Long>> askTokens(String operation) {
        Supplier<List<List<byte[]>>> asked = link.ask(operation, tokens);
        return () -> partitions.inPlace(asked.get()).stream()
                .map(RegisterPart::token)
                .toList();
    }

    @Override
    public Snapshot snapshot() {
        List<RegisterPart> parts = new ArrayList<>(known);
        Supplier<List<Long>> now = askTokens(SNAPSHOT);
        List<Integer> likely = changed(parts, lately);
        read(likely, parts);
        read(
                changed(parts, now.get()).stream()
                        .filter(partition -> !likely.contains(partition))
                        .toList(),
                parts);
        known = List.copyOf(parts);
        lately = parts.stream().map(RegisterPart::token).toList();
        return snapshot(parts);
    }

    private static List<Integer> changed(List<RegisterPart> parts, List<Long> tokens) {
        return IntStream.range(0, Keys.PARTITIONS)
                .filter(partition -> parts.get(partition).token() != tokens.get(partition))
                .boxed()
                .toList();
    }

    /** Reads some parts again. */
    private void read(List<Integer> changed, List<RegisterPart> parts) {
        List<List<Object>> pages = link.runAll(
                SNAPSHOT,
                Effect.READ,
                changed.stream().map(partition -> page(partition, START, START)).toList());
        for (int i = 0; i < changed.size(); i++) {
            parts.set(changed.get(i), read(changed.get(i), pages.get(i)));
        }
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

    private Call<List<Object>> page(int partition, byte[] pulled, byte[] retracting) {
        return OutboxScripts.PAGE.on(
                List.of(
                        keys.ofPartition("register", partition),
                        keys.ofPartition("pulled", partition),
                        keys.ofPartition("retracting", partition)),
                List.of(timer.now(), pulled, retracting, Arguments.number(READ_AT_ONCE)));
    }

    /** All of a part, of which this is the first page. */
    private RegisterPart read(int partition, List<Object> first) {
        List<Object> page = first;
        RegisterPart part = new RegisterPart(RegisterPart.token((byte[]) first.get(0)), Map.of(), Set.of());
        while (true) {
            part = part.and((List<?>) page.get(2), (List<?>) page.get(4));
            byte[] pulled = cursor(page.get(1));
            byte[] retracting = cursor(page.get(3));
            if (Arrays.equals(pulled, DONE) && Arrays.equals(retracting, DONE)) {
                return part;
            }
            page = link.run(SNAPSHOT, Effect.READ, page(partition, pulled, retracting));
        }
    }

    private static byte[] cursor(Object answered) {
        byte[] cursor = (byte[]) answered;
        return Arrays.equals(cursor, START) ? DONE : cursor;
    }

    @Override
    public void put(List<Post> unpushed) {
        Map<String, Unpushed> byAuthor = new LinkedHashMap<>();
        unpushed.forEach(post -> byAuthor.merge(post.author(), Unpushed.of(post), Unpushed::and));
        PartitionBatcher<Unpushed> split =
                PartitionBatcher.of(List.copyOf(byAuthor.values()), Unpushed::partition, CHANGED_AT_ONCE);
        link.runAll(
                "register.put",
                Effect.WRITE,
                split.each(share -> OutboxScripts.PUT.on(
                        keysOf(share.partition(), "pulled"), share.values(same(), Unpushed::values))));
    }

    @Override
    public boolean remove(String author, long version) {
        List<byte[]> arguments = new ArrayList<>(same());
        arguments.add(Arguments.text(author));
        arguments.add(Arguments.token(version));
        Call<Long> call = OutboxScripts.REMOVE.on(keysOf(Keys.partition(author), "pulled"), arguments);
        return link.run("register.remove", Effect.WRITE, call) == 1;
    }

    @Override
    public void retracted(List<PostKey> retracted) {
        PartitionBatcher<PostKey> split =
                PartitionBatcher.of(retracted, key -> Keys.partition(key.author()), CHANGED_AT_ONCE);
        link.runAll(
                "register.retracted",
                Effect.WRITE,
                split.each(share -> OutboxScripts.RETRACTED.on(
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
            return List.of(Arguments.text(author), PositionCodec.of(oldest), PositionCodec.of(newest));
        }
    }
}
