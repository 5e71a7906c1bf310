package io.feedkit.redis.internal.log;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.PartitionBatcher;
import io.feedkit.redis.internal.format.PartitionBatcher.Batch;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog.Claim;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Leases tasks in two steps. It looks at the tasks that have been due longest in every partition. Then it takes the
 * first of all, each only if it is still where it was. So the order is that of one queue, to the millisecond, although
 * each script works in one partition.
 */
final class TaskClaimer {

    /** How many tasks one script takes. */
    private static final int AT_ONCE = 100;

    /** How many tasks one script looks at; up to twice as many in an extreme case. */
    private static final int SEEN_AT_ONCE = 1000;

    private static final String OPERATION = "log.claim";

    private final Lock turn = new ReentrantLock();
    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    TaskClaimer(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * Looks again if other workers took everything that was seen. A queue key is never used again. So if the same keys
     * are seen twice and cannot be taken, the log is damaged. Workers of this process take turns, because otherwise
     * they would all see the same tasks.
     */
    List<Claim> claim(int max, long leaseMillis) {
        lock();
        try {
            List<QueueKey> missed = List.of();
            while (true) {
                List<QueueKey> places = firstDue(max);
                List<Claim> claims = places.isEmpty() ? List.of() : take(places, leaseMillis);
                if (places.isEmpty() || !claims.isEmpty()) {
                    return claims;
                }
                if (places.equals(missed)) {
                    throw new IllegalStateException(
                            "the log is damaged: task " + places.get(0).id() + " cannot be claimed");
                }
                missed = places;
            }
        } finally {
            turn.unlock();
        }
    }

    private void lock() {
        try {
            if (!turn.tryLock(link.timeout().toMillis(), MILLISECONDS)) {
                throw new StoreUnavailableException(
                        OPERATION, new TimeoutException("other claims of this process wait for an answer"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(OPERATION, e);
        }
    }

    /**
     * The queue keys that come first of all. The first look is at a few in each partition. The second is at as many as
     * wanted, in the partitions that may have more among the first.
     */
    private List<QueueKey> firstDue(int max) {
        List<Integer> all = IntStream.range(0, Keys.PARTITIONS).boxed().toList();
        int some = Math.min(max, 2 * max / Keys.PARTITIONS + 1);
        List<DueTasks> found = new ArrayList<>(look(all, some));
        List<QueueKey> first = first(found, max);
        if (some == max) {
            return first;
        }
        List<Integer> open = all.stream()
                .filter(partition -> found.get(partition).mayHaveMore(some, first, max))
                .toList();
        List<DueTasks> more = look(open, max);
        for (int i = 0; i < more.size(); i++) {
            found.set(open.get(i), more.get(i));
        }
        return open.isEmpty() ? first : first(found, max);
    }

    private static List<QueueKey> first(List<DueTasks> found, int max) {
        return found.stream().flatMap(DueTasks::places).sorted().limit(max).toList();
    }

    private List<DueTasks> look(List<Integer> partitions, int most) {
        List<byte[]> arguments = List.of(clock.now(), Arguments.number(most));
        PartitionBatcher<Integer> split =
                PartitionBatcher.of(partitions, link.apart(partition -> partition), Math.max(1, SEEN_AT_ONCE / most));
        List<List<Object>> answers = link.runAll(
                OPERATION,
                Effect.READ,
                split.each(batch -> LogScripts.PEEK.on(
                        batch.items().stream()
                                .flatMap(partition -> keys.of(partition).stream())
                                .toList(),
                        arguments)));
        return split.<Object>inPlace(answers).stream()
                .map(answer -> DueTasks.of((List<?>) answer))
                .toList();
    }

    private List<Claim> take(List<QueueKey> places, long leaseMillis) {
        long token = Arguments.newToken();
        List<QueueKey> freshFirst = places.stream()
                .sorted(Comparator.comparing(place -> !place.isFresh()))
                .toList();
        PartitionBatcher<QueueKey> split = PartitionBatcher.of(freshFirst, QueueKey::partition, AT_ONCE);
        List<byte[]> same = List.of(clock.now(), Arguments.millis(leaseMillis), Arguments.token(token));
        List<Object> records =
                split.inPlace(link.runAll(OPERATION, Effect.WRITE, split.each(batch -> call(batch, same))));
        SortedMap<QueueKey, Claim> claims = new TreeMap<>();
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer record = ByteBuffer.wrap((byte[]) records.get(i));
            if (record.hasRemaining()) {
                QueueKey place = freshFirst.get(i);
                claims.put(place, new Claim(TaskCodec.task(place.id(), record), token));
            }
        }
        return List.copyOf(claims.values());
    }

    private Call<List<Object>> call(Batch<QueueKey> batch, List<byte[]> same) {
        List<byte[]> arguments = new ArrayList<>(same);
        arguments.add(Arguments.number(
                (int) batch.items().stream().filter(QueueKey::isFresh).count()));
        return LogScripts.CLAIM.on(
                keys.of(batch.partition()), batch.values(arguments, place -> List.of(place.bytes())));
    }

    /** What comes first in a partition, among the fresh tasks and in the queue. */
    private record DueTasks(List<QueueKey> fresh, List<QueueKey> queued) {

        static DueTasks of(List<?> answer) {
            return new DueTasks(
                    ((List<?>) answer.get(0)).stream().map(QueueKey::ofFresh).toList(),
                    ((List<?>) answer.get(1)).stream().map(QueueKey::ofQueued).toList());
        }

        Stream<QueueKey> places() {
            return Stream.concat(fresh.stream(), queued.stream());
        }

        /** Whether unseen tasks may belong among the first. */
        boolean mayHaveMore(int seen, List<QueueKey> first, int max) {
            return Stream.of(fresh, queued)
                    .filter(places -> places.size() == seen)
                    .anyMatch(
                            places -> first.size() < max || places.get(seen - 1).isDueBefore(first.get(max - 1)));
        }
    }
}
