package io.feedkit.redis.internal.log;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.toSet;

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
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Task;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Leases or lends tasks in two steps. It looks at the tasks that have been due longest in every partition. Then it
 * takes the first tasks of all partitions, each only if it is still in its place. So the order is that of one queue, to
 * the millisecond, although each script works in one partition. Claims and loans use the same scripts, which recognise
 * a loan by its token.
 */
final class TaskClaimer {

    /** How many tasks one script takes. */
    private static final int AT_ONCE = 100;

    /** How many tasks one script reads; up to twice as many in an extreme case. */
    private static final int SEEN_AT_ONCE = 1000;

    private final Lock turn = new ReentrantLock();
    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;

    TaskClaimer(RedisLink link, LogKeys keys, ScriptClock clock) {
        this.link = link;
        this.keys = keys;
        this.clock = clock;
    }

    /** A lease or, within a window, a loan for tasks. */
    private record Grant(String operation, long token, long millis, OptionalInt window) {}

    /** A task that was leased or lent. */
    private record Granted(Task task, boolean lapsed) {}

    List<Claim> claim(int max, long leaseMillis) {
        Grant lease = new Grant("log.claim", TaskTokens.ofLease(), leaseMillis, OptionalInt.empty());
        return grantFirstDue(max, lease).stream()
                .map(granted -> new Claim(granted.task(), lease.token()))
                .toList();
    }

    List<LentTask> lend(int max, long loanMillis, int window) {
        Grant loan = new Grant("log.lend", TaskTokens.ofLoan(), loanMillis, OptionalInt.of(window));
        return grantFirstDue(max, loan).stream()
                .map(granted ->
                        new LentTask(granted.task(), new Loan(granted.task().id(), loan.token()), granted.lapsed()))
                .toList();
    }

    /**
     * Looks again if other workers took all tasks that it saw. Queue keys are never reused. So if it sees the same keys
     * twice and cannot take them, the log is damaged. Workers of this process take turns, because otherwise they would
     * all see the same tasks.
     */
    private List<Granted> grantFirstDue(int max, Grant grant) {
        lock(grant.operation());
        try {
            List<QueueKey> missed = List.of();
            while (true) {
                List<QueueKey> places = firstDue(max, grant);
                List<Granted> granted = places.isEmpty() ? List.of() : grantAll(places, grant);
                if (places.isEmpty() || !granted.isEmpty()) {
                    return granted;
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

    private void lock(String operation) {
        try {
            if (!turn.tryLock(link.timeout().toMillis(), MILLISECONDS)) {
                throw new StoreUnavailableException(
                        operation, new TimeoutException("other claims of this process wait for an answer"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(operation, e);
        }
    }

    /**
     * Returns the queue keys that come first in all partitions together. The first look reads a few keys of each
     * partition and, if there is a window, the number of loans. The second look reads as many as wanted, in the
     * partitions that may have more of the first keys.
     */
    private List<QueueKey> firstDue(int max, Grant grant) {
        List<Integer> all = IntStream.range(0, Keys.PARTITIONS).boxed().toList();
        int some = Math.min(max, 2 * max / Keys.PARTITIONS + 1);
        List<DueTasks> found = new ArrayList<>(
                look(all, some, grant.operation(), grant.window().isPresent()));
        int lent = found.stream().mapToInt(DueTasks::running).sum();
        int wanted = Math.max(0, Math.min(max, grant.window().orElse(Integer.MAX_VALUE) - lent));
        List<QueueKey> first = first(found, wanted);
        if (some >= wanted) {
            return first;
        }
        List<Integer> open = all.stream()
                .filter(partition -> found.get(partition).mayHaveMore(some, first, wanted))
                .toList();
        List<DueTasks> more = look(open, wanted, grant.operation(), false);
        for (int i = 0; i < more.size(); i++) {
            found.set(open.get(i), more.get(i));
        }
        return open.isEmpty() ? first : first(found, wanted);
    }

    private static List<QueueKey> first(List<DueTasks> found, int max) {
        return found.stream().flatMap(DueTasks::places).sorted().limit(max).toList();
    }

    private List<DueTasks> look(List<Integer> partitions, int most, String operation, boolean countsLoans) {
        List<byte[]> arguments = List.of(clock.now(), Arguments.number(most), Arguments.flag(countsLoans));
        PartitionBatcher<Integer> split =
                PartitionBatcher.of(partitions, link.apart(partition -> partition), Math.max(1, SEEN_AT_ONCE / most));
        List<List<Object>> answers = link.runAll(
                operation,
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

    private List<Granted> grantAll(List<QueueKey> places, Grant grant) {
        List<QueueKey> freshFirst = places.stream()
                .sorted(Comparator.comparing(place -> !place.isFresh()))
                .toList();
        PartitionBatcher<QueueKey> split = PartitionBatcher.of(freshFirst, QueueKey::partition, AT_ONCE);
        List<byte[]> same = List.of(clock.now(), Arguments.millis(grant.millis()), Arguments.token(grant.token()));
        List<List<Object>> answers =
                link.runAll(grant.operation(), Effect.WRITE, split.each(batch -> call(batch, same)));
        List<Object> records = split.inPlace(answers.stream()
                .<List<Object>>map(answer -> List.copyOf((List<?>) answer.get(0)))
                .toList());
        Set<QueueKey> lapsed = answers.stream()
                .flatMap(answer -> ((List<?>) answer.get(1)).stream())
                .map(QueueKey::ofQueued)
                .collect(toSet());
        SortedMap<QueueKey, Granted> granted = new TreeMap<>();
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer record = ByteBuffer.wrap((byte[]) records.get(i));
            if (record.hasRemaining()) {
                QueueKey place = freshFirst.get(i);
                granted.put(place, new Granted(TaskCodec.task(place.id(), record), lapsed.contains(place)));
            }
        }
        return List.copyOf(granted.values());
    }

    private Call<List<Object>> call(Batch<QueueKey> batch, List<byte[]> same) {
        List<byte[]> arguments = new ArrayList<>(same);
        arguments.add(Arguments.number(
                (int) batch.items().stream().filter(QueueKey::isFresh).count()));
        return LogScripts.CLAIM.on(
                keys.of(batch.partition()), batch.values(arguments, place -> List.of(place.bytes())));
    }

    /** The first fresh tasks and the first queued tasks of a partition, and the number of its running loans. */
    private record DueTasks(List<QueueKey> fresh, List<QueueKey> queued, int running) {

        static DueTasks of(List<?> answer) {
            return new DueTasks(
                    ((List<?>) answer.get(0)).stream().map(QueueKey::ofFresh).toList(),
                    ((List<?>) answer.get(1)).stream().map(QueueKey::ofQueued).toList(),
                    Math.toIntExact((Long) answer.get(2)));
        }

        Stream<QueueKey> places() {
            return Stream.concat(fresh.stream(), queued.stream());
        }

        /** Whether tasks that were not read may belong to the first ones. */
        boolean mayHaveMore(int seen, List<QueueKey> first, int max) {
            return Stream.of(fresh, queued)
                    .filter(places -> places.size() == seen)
                    .anyMatch(
                            places -> first.size() < max || places.get(seen - 1).isDueBefore(first.get(max - 1)));
        }
    }
}
