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
 * takes the first of all, each only if it is still where it was. So the order is that of one queue, to the millisecond,
 * although each script works in one partition. Claims and loans are the same scripts, which know a loan by its token.
 */
final class TaskClaimer {

    /** How many tasks one script takes. */
    private static final int AT_ONCE = 100;

    /** How many tasks one script looks at; up to twice as many in an extreme case. */
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

    /** What is given to tasks: a lease, or a loan within a window. */
    private record Grant(String operation, long token, long millis, OptionalInt window) {}

    /** A task that was leased or lent. */
    private record Given(Task task, boolean lapsed) {}

    List<Claim> claim(int max, long leaseMillis) {
        Grant lease = new Grant("log.claim", TaskTokens.ofLease(), leaseMillis, OptionalInt.empty());
        return give(max, lease).stream()
                .map(given -> new Claim(given.task(), lease.token()))
                .toList();
    }

    List<LentTask> lend(int max, long loanMillis, int window) {
        Grant loan = new Grant("log.lend", TaskTokens.ofLoan(), loanMillis, OptionalInt.of(window));
        return give(max, loan).stream()
                .map(given -> new LentTask(given.task(), new Loan(given.task().id(), loan.token()), given.lapsed()))
                .toList();
    }

    /**
     * Looks again if other workers took everything that was seen. A queue key is never used again. So if the same keys
     * are seen twice and cannot be taken, the log is damaged. Workers of this process take turns, because otherwise
     * they would all see the same tasks.
     */
    private List<Given> give(int max, Grant grant) {
        lock(grant.operation());
        try {
            List<QueueKey> missed = List.of();
            while (true) {
                List<QueueKey> places = firstDue(max, grant);
                List<Given> given = places.isEmpty() ? List.of() : give(places, grant);
                if (places.isEmpty() || !given.isEmpty()) {
                    return given;
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
     * The queue keys that come first of all. The first look is at a few in each partition. The second is at as many as
     * wanted, in the partitions that may have more among the first. The first look also counts the loans, if there is a
     * window.
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

    private List<Given> give(List<QueueKey> places, Grant grant) {
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
        SortedMap<QueueKey, Given> given = new TreeMap<>();
        for (int i = 0; i < records.size(); i++) {
            ByteBuffer record = ByteBuffer.wrap((byte[]) records.get(i));
            if (record.hasRemaining()) {
                QueueKey place = freshFirst.get(i);
                given.put(place, new Given(TaskCodec.task(place.id(), record), lapsed.contains(place)));
            }
        }
        return List.copyOf(given.values());
    }

    private Call<List<Object>> call(Batch<QueueKey> batch, List<byte[]> same) {
        List<byte[]> arguments = new ArrayList<>(same);
        arguments.add(Arguments.number(
                (int) batch.items().stream().filter(QueueKey::isFresh).count()));
        return LogScripts.CLAIM.on(
                keys.of(batch.partition()), batch.values(arguments, place -> List.of(place.bytes())));
    }

    /** What comes first in a partition, among the fresh tasks and in the queue, and how many loans run in it. */
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

        /** Whether unseen tasks may belong among the first. */
        boolean mayHaveMore(int seen, List<QueueKey> first, int max) {
            return Stream.of(fresh, queued)
                    .filter(places -> places.size() == seen)
                    .anyMatch(
                            places -> first.size() < max || places.get(seen - 1).isDueBefore(first.get(max - 1)));
        }
    }
}
