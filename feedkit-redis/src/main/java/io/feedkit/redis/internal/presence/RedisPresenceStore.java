package io.feedkit.redis.internal.presence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PartitionBatcher.Batch;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.PresenceStore;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Presence in Redis: in each bucket of readers, a sorted set of readers by the end of their time online, and one by
 * when they were last seen. So no key and no slot of a cluster has all readers. A report also removes readers whose
 * time is over: twice as many as it adds, at most.
 */
public final class RedisPresenceStore implements PresenceStore {

    /** The most readers of one script. */
    private static final int AT_ONCE = 100;

    /** The most buckets of one script. */
    private static final int BUCKETS_AT_ONCE = 32;

    /** How many readers a script looks at in each bucket of a list: more with each round that finds too few. */
    private static final int FEWEST_OF_BUCKET = 8;

    private static final int MOST_OF_BUCKET = 64;
    private static final int ROUNDS_FOR_PAGE = 10;

    private static final Script<Long> REPORT = Script.number("presence/report");
    private static final Script<List<Object>> STATUS = Script.list("presence/status");
    private static final Script<Long> COUNT = Script.number("presence/count");
    private static final Script<List<Object>> ONLINE = Script.list("presence/online");

    private static final Comparator<Seen> LATEST_FIRST =
            Comparator.comparingLong(Seen::lastSeen).thenComparing(Seen::reader).reversed();

    private static final List<Integer> ALL_BUCKETS =
            IntStream.range(0, Keys.BUCKETS).boxed().toList();

    private final Link link;
    private final Keys keys;
    private final ScriptClock clock;

    /** The presence of an application on a server. */
    public RedisPresenceStore(Link link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    private List<byte[]> keysOf(int bucket) {
        return List.of(online(bucket), keys.ofBucket("lastseen", bucket));
    }

    private byte[] online(int bucket) {
        return keys.ofBucket("online", bucket);
    }

    private static int bucket(String reader) {
        return Keys.bucket(reader);
    }

    @Override
    public void report(List<Sighting> sightings, long keptMillis) {
        List<byte[]> same = List.of(clock.now(), Arguments.millis(keptMillis));
        List<Call<Long>> calls = PartitionBatcher.of(sightings, each -> bucket(each.reader()), AT_ONCE)
                .each(batch -> REPORT.on(keysOf(batch.partition()), batch.values(same, RedisPresenceStore::values)));
        link.runAll("presence.report", Effect.WRITE, calls);
    }

    private static List<byte[]> values(Sighting sighting) {
        return List.of(
                Arguments.text(sighting.reader()),
                Arguments.millis(sighting.seenAgoMillis()),
                Arguments.millis(sighting.onlineMillis()));
    }

    @Override
    public List<Status> status(List<String> readers) {
        PartitionBatcher<String> batches =
                PartitionBatcher.of(readers, link.apart(RedisPresenceStore::bucket), AT_ONCE);
        List<Call<List<Object>>> calls = batches.each(batch -> STATUS.on(
                batch.items().stream()
                        .flatMap(reader -> keysOf(bucket(reader)).stream())
                        .toList(),
                batch.values(List.of(clock.now()), reader -> List.of(Arguments.text(reader)))));
        return batches.inPlace(link.ask("presence.status", calls).get().stream()
                .map(RedisPresenceStore::statuses)
                .toList());
    }

    private static List<Status> statuses(List<Object> answer) {
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < answer.size(); i += 2) {
            statuses.add(new Status((Long) answer.get(i) == 1, (Long) answer.get(i + 1)));
        }
        return statuses;
    }

    @Override
    public long countOnline() {
        List<Call<Long>> calls = allBuckets()
                .each(batch -> COUNT.on(batch.items().stream().map(this::online).toList(), List.of(clock.now())));
        return link.ask("presence.countOnline", calls).get().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private PartitionBatcher<Integer> allBuckets() {
        return PartitionBatcher.of(ALL_BUCKETS, link.apart(bucket -> bucket), BUCKETS_AT_ONCE);
    }

    /**
     * The readers of a bucket who are online, of those that a script looked at.
     *
     * @param last the last reader that it looked at, if there are more below
     */
    private record Part(List<Seen> readers, Optional<Seen> last) {}

    @Override
    public OnlinePage online(Seen below, int limit) {
        List<Seen> readers = new ArrayList<>();
        Seen place = below;
        int each = Math.min(MOST_OF_BUCKET, FEWEST_OF_BUCKET + 2 * limit / Keys.BUCKETS);
        for (int round = 0; round < ROUNDS_FOR_PAGE; round++) {
            List<Part> parts = parts(place, each);
            // Every bucket was looked at down to this place, or to its end.
            Optional<Seen> reach =
                    parts.stream().flatMap(part -> part.last().stream()).min(LATEST_FIRST);
            List<Seen> found = parts.stream()
                    .flatMap(part -> part.readers().stream())
                    .filter(seen -> reach.isEmpty() || LATEST_FIRST.compare(seen, reach.get()) <= 0)
                    .sorted(LATEST_FIRST)
                    .toList();
            for (Seen seen : found) {
                readers.add(seen);
                if (readers.size() == limit) {
                    return new OnlinePage(readers, Optional.of(seen));
                }
            }
            if (reach.isEmpty()) {
                return new OnlinePage(readers, Optional.empty());
            }
            place = reach.get();
            each = Math.min(MOST_OF_BUCKET, 2 * each);
        }
        return new OnlinePage(readers, Optional.of(place));
    }

    private List<Part> parts(Seen below, int each) {
        List<byte[]> arguments = List.of(
                clock.now(),
                Arguments.millis(below.lastSeen()),
                Arguments.text(below.reader()),
                Arguments.number(each));
        List<Call<List<Object>>> calls = allBuckets().each(batch -> ONLINE.on(keysOf(batch), arguments));
        return link.ask("presence.online", calls).get().stream()
                .flatMap(answer -> answer.stream().map(RedisPresenceStore::part))
                .toList();
    }

    private List<byte[]> keysOf(Batch<Integer> batch) {
        return batch.items().stream().flatMap(bucket -> keysOf(bucket).stream()).toList();
    }

    private static Part part(Object answer) {
        List<?> values = (List<?>) answer;
        List<Seen> readers = new ArrayList<>();
        for (int i = 3; i < values.size(); i += 2) {
            readers.add(new Seen(text(values.get(i)), time(values.get(i + 1))));
        }
        return new Part(
                readers,
                values.get(0).equals(1L)
                        ? Optional.of(new Seen(text(values.get(2)), time(values.get(1))))
                        : Optional.empty());
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, US_ASCII);
    }

    private static long time(Object score) {
        return Long.parseLong(text(score));
    }

    @Override
    public void forget(Collection<String> readers) {
        List<String> distinct = List.copyOf(new HashSet<>(readers));
        List<Call<Long>> calls = new ArrayList<>();
        PartitionBatcher.of(distinct, RedisPresenceStore::bucket, AT_ONCE).each(batch -> {
            byte[][] members = batch.items().stream().map(Arguments::text).toArray(byte[][]::new);
            keysOf(batch.partition())
                    .forEach(key -> calls.add(Call.of(CommandType.ZREM, IntegerOutput::new, key, members)));
            return batch;
        });
        link.runAll("presence.forget", Effect.WRITE, calls);
    }
}
