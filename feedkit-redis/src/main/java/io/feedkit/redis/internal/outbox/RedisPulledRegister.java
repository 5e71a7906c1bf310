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
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The register in Redis, a part of it in each partition: a hash of entries, a sorted set of posts being retracted, and
 * a list of the latest changes. Every change has a random token. An update asks each part for the changes after the
 * last known token. If a part no longer has that token, because there were very many changes or a replica without it
 * took over, the update reads the state instead.
 */
final class RedisPulledRegister implements PulledRegister {

    private static final String UPDATE = "register.update";
    private static final int CHANGED_AT_ONCE = 100;
    private static final int READ_AT_ONCE = 1000;

    /** The most authors whose state one call requests, with or without the changes. */
    private static final int AUTHORS_AT_ONCE = 1000;

    /** The most authors that are remembered as pulled. Above that number, the set is cleared. */
    private static final int MOST_PULLED = 100_000;

    private static final byte[] START = Arguments.text("0");
    private static final byte[] DONE = Arguments.text("-");
    private static final byte[] UNKNOWN = Arguments.text("-");

    /** The token of the last known change of each part. */
    private record Tokens(List<byte[]> ofParts) implements Moment {}

    private final RedisLink link;
    private final Keys keys;
    private final ScriptClock clock;
    private final PartitionBatcher<Integer> partitions;
    private final List<List<byte[]>> keysOfParts;
    private final Set<String> pulled = ConcurrentHashMap.newKeySet();

    RedisPulledRegister(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
        partitions = PartitionBatcher.of(
                IntStream.range(0, Keys.PARTITIONS).boxed().toList(),
                link.apart(partition -> partition),
                Keys.PARTITIONS);
        keysOfParts = IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> List.of(
                        keys.ofPartition("register", partition),
                        keys.ofPartition("pulled", partition),
                        keys.ofPartition("retracting", partition)))
                .toList();
    }

    /** Whether an author was pulled at the last update that contained the author. */
    boolean wasPulled(String author) {
        return pulled.contains(author);
    }

    @Override
    public Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo) {
        Optional<Tokens> known = since.map(Tokens.class::cast);
        List<String> asked = List.copyOf(new LinkedHashSet<>(authors));
        List<String> first = asked.subList(0, Math.min(AUTHORS_AT_ONCE, asked.size()));
        List<Part> parts = parts(known, first);
        if (known.isPresent() && parts.stream().anyMatch(part -> part.changes().isEmpty())) {
            // Only such parts have answered how much is registered.
            return update(Optional.empty(), authors, wholeUpTo);
        }
        Moment moment = new Tokens(parts.stream().map(Part::token).toList());
        RegisterChanges changes = new RegisterChanges();
        Scope scope = Scope.CHANGES;
        if (known.isEmpty()) {
            long size = parts.stream().mapToLong(Part::size).sum();
            scope = size <= wholeUpTo ? Scope.WHOLE : Scope.AUTHORS;
        }
        if (scope == Scope.WHOLE) {
            asked.forEach(author -> changes.entry(author, Optional.empty()));
            readWhole(changes);
        } else {
            if (scope == Scope.CHANGES) {
                parts.forEach(part -> part.changes().orElseThrow().forEach(change -> changes.add((byte[]) change)));
            }
            parts.forEach(part -> part.addState(changes));
            for (int i = first.size(); i < asked.size(); i += AUTHORS_AT_ONCE) {
                parts(Optional.empty(), asked.subList(i, Math.min(asked.size(), i + AUTHORS_AT_ONCE)))
                        .forEach(part -> part.addState(changes));
            }
        }
        Update update = changes.update(moment, scope);
        remember(update);
        return update;
    }

    private void remember(Update update) {
        if (pulled.size() > MOST_PULLED) {
            pulled.clear();
        }
        update.entries().forEach((author, entry) -> {
            if (entry.isPresent()) {
                pulled.add(author);
            } else {
                pulled.remove(author);
            }
        });
    }

    /** The answer of one part, and the authors whose state it has. */
    private record Part(List<?> answer, List<String> asked) {

        /** A part that has not changed since a token. */
        static Part unchanged(byte[] token) {
            return new Part(List.of(token, 0L, List.of(), List.of(), List.of()), List.of());
        }

        byte[] token() {
            return (byte[]) answer.get(0);
        }

        long size() {
            return (Long) answer.get(1);
        }

        /** The changes since the known token; empty if the part does not know them. */
        Optional<List<?>> changes() {
            return answer.get(2) instanceof List<?> list ? Optional.of(list) : Optional.empty();
        }

        void addState(RegisterChanges changes) {
            changes.addState(asked, (List<?>) answer.get(3), (List<?>) answer.get(4));
        }
    }

    private List<Part> parts(Optional<Tokens> known, List<String> authors) {
        Map<Integer, List<String>> byPartition = new HashMap<>();
        authors.forEach(author -> byPartition
                .computeIfAbsent(Keys.partition(author), partition -> new ArrayList<>())
                .add(author));
        List<List<Object>> answers = link.runAll(
                UPDATE, Effect.READ, partitions.each(batch -> updateCall(batch.items(), known, byPartition)));
        List<Object> inPlace = partitions.inPlace(
                answers.stream().map(RedisPulledRegister::splitParts).toList());
        return IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> inPlace.get(partition) instanceof List<?> answer
                        ? new Part(answer, byPartition.getOrDefault(partition, List.of()))
                        : Part.unchanged(known.orElseThrow().ofParts().get(partition)))
                .toList();
    }

    /** Splits the flat answer of a script into a list for each part; a number for a part that has not changed. */
    private static List<Object> splitParts(List<Object> answer) {
        List<Object> parts = new ArrayList<>();
        Iterator<Object> next = answer.iterator();
        while (next.hasNext()) {
            Object first = next.next();
            parts.add(
                    first instanceof byte[]
                            ? Arrays.asList(first, next.next(), values(next), values(next), values(next))
                            : first);
        }
        return parts;
    }

    /** Reads a number, and that many values. A negative number means that they are not known. */
    private static Object values(Iterator<Object> next) {
        long count = (Long) next.next();
        if (count < 0) {
            return UNKNOWN;
        }
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            values.add(next.next());
        }
        return values;
    }

    private Call<List<Object>> updateCall(
            List<Integer> parts, Optional<Tokens> known, Map<Integer, List<String>> authors) {
        List<byte[]> of = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>(List.of(clock.now()));
        for (int partition : parts) {
            List<String> asked = authors.getOrDefault(partition, List.of());
            of.addAll(keysOfParts.get(partition));
            arguments.add(known.map(tokens -> tokens.ofParts().get(partition)).orElse(UNKNOWN));
            arguments.add(Arguments.number(asked.size()));
            asked.forEach(author -> arguments.add(Arguments.text(author)));
        }
        return OutboxScripts.UPDATE.on(of, arguments);
    }

    /** Reads all parts. A large part is read in pages. Changes made meanwhile are in the next update. */
    private void readWhole(RegisterChanges changes) {
        List<List<Object>> pages = link.runAll(
                UPDATE,
                Effect.READ,
                IntStream.range(0, Keys.PARTITIONS)
                        .mapToObj(partition -> page(partition, START, START))
                        .toList());
        for (int partition = 0; partition < Keys.PARTITIONS; partition++) {
            List<Object> page = pages.get(partition);
            while (true) {
                add(changes, page);
                byte[] entries = cursor(page.get(0));
                byte[] posts = cursor(page.get(2));
                if (Arrays.equals(entries, DONE) && Arrays.equals(posts, DONE)) {
                    break;
                }
                page = link.run(UPDATE, Effect.READ, page(partition, entries, posts));
            }
        }
    }

    private static void add(RegisterChanges changes, List<Object> page) {
        List<?> entries = (List<?>) page.get(1);
        for (int i = 0; i < entries.size(); i += 2) {
            changes.entry(RegisterCodec.text((byte[]) entries.get(i)), Optional.of(RegisterCodec.entry((byte[])
                    entries.get(i + 1))));
        }
        List<?> posts = (List<?>) page.get(3);
        for (int i = 0; i < posts.size(); i += 2) {
            changes.retractionBegun(RegisterCodec.post((byte[]) posts.get(i)));
        }
    }

    private Call<List<Object>> page(int partition, byte[] entries, byte[] posts) {
        return OutboxScripts.PAGE.on(
                List.of(keys.ofPartition("pulled", partition), keys.ofPartition("retracting", partition)),
                List.of(clock.now(), entries, posts, Arguments.number(READ_AT_ONCE)));
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
                        share.values(same(), key -> List.of(RegisterCodec.retracting(key))))));
    }

    private List<byte[]> keysOf(int partition, String kind) {
        return List.of(keys.ofPartition("register", partition), keys.ofPartition(kind, partition));
    }

    private List<byte[]> same() {
        return List.of(clock.now(), Arguments.token(Arguments.newToken()));
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
