package io.feedkit.redis.internal.log;

import io.feedkit.FeedKitException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.protocol.CommandType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The fan-out log in Redis. Each partition has a log of its own beside the outboxes of its authors, so a post and its
 * task are recorded in one step on any topology. A worker looks for tasks in all partitions, and takes the tasks that
 * have been due longest in any of them ({@link TaskClaimer}).
 *
 * <p>A new push or pull is appended to a list. Most tasks are claimed and finished soon, so they need no other place. A
 * task that was claimed is in a hash, and in a queue by the time when it may be claimed again: a waiting task when it
 * is due, a leased or lent task when its lease or loan ends. So a task whose lease has ended is due without further
 * action. Further keys hold the tasks that hold the settled mark back (by whether their posts are already visible, and
 * by creation), the postponed tasks, the lent tasks, the finished tasks (a list by time) and the dead letters (by id).
 *
 * <p>A partition's time never decreases: its header keeps the latest time that a step used. So no task is recorded
 * before a settled mark, and lists stay in order.
 */
public final class RedisFanoutLog implements FanoutLog {

    /**
     * How many tasks of a partition the first count of kinds examines. Partitions with more tasks are counted again.
     */
    private static final int KINDS_AT_FIRST = 1000;

    /** How many tasks that are not due one script examines: a millisecond of the server's time. */
    private static final int HASTENED_AMONG = 1000;

    /** The most scripts for one partition. Its tasks beyond the first hundred thousand wait until their delays end. */
    private static final int MOST_LOOKS = 100;

    private static final int RESTARTED_AT_ONCE = 100;
    private static final int TIME_BYTES = 6;

    private static final String POLICY = "policy";

    private final RedisLink link;
    private final Identities formats;
    private final LogKeys keys;
    private final ScriptClock clock;
    private final TaskClaimer claims;
    private final TaskLoans loans;
    private final ClaimUpdates updates;
    private final DeadLetters dead;
    private final TaskSearch search;
    private final UnfinishedTasks unfinished;

    public RedisFanoutLog(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.formats = new Identities(link, keys);
        this.keys = new LogKeys(keys);
        this.clock = clock;
        claims = new TaskClaimer(link, this.keys, clock);
        loans = new TaskLoans(link, this.keys, clock);
        updates = new ClaimUpdates(link, this.keys, clock);
        dead = new DeadLetters(link, this.keys, clock);
        search = new TaskSearch(link, this.keys, clock);
        unfinished = new UnfinishedTasks(link, this.keys);
    }

    /** The time before which every recorded task is finished or dead. */
    public long settledMark() {
        return everywhere("outbox.settledMark", LogScripts.MARK, keys::of).stream()
                .mapToLong(Long::longValue)
                .min()
                .orElseThrow();
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        return claims.claim(max, leaseMillis);
    }

    @Override
    public List<LentTask> lend(int max, long loanMillis, int window) {
        return claims.lend(max, loanMillis, window);
    }

    @Override
    public List<Optional<Claim>> take(List<Loan> lent, long leaseMillis) {
        return loans.take(lent, leaseMillis);
    }

    @Override
    public List<Boolean> returnLoans(List<Loan> lent) {
        return updates.returnLoans(lent);
    }

    @Override
    public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return updates.checkpoint(progress, leaseMillis);
    }

    @Override
    public List<Boolean> release(List<Release> releases) {
        return updates.release(releases);
    }

    @Override
    public List<Boolean> finish(List<Claim> done, long retainMillis) {
        return updates.finish(done, retainMillis);
    }

    @Override
    public List<Boolean> fail(List<Failure> failures) {
        return updates.fail(failures);
    }

    @Override
    public List<Boolean> postpone(List<Postponement> postponements) {
        return updates.postpone(postponements);
    }

    /** Continues with the other partitions if one cannot be reached. */
    @Override
    public int hasten(int most) {
        int hastened = 0;
        Optional<FeedKitException> failure = Optional.empty();
        for (int partition = 0; partition < Keys.PARTITIONS && hastened < most; partition++) {
            try {
                hastened += hasten(partition, most - hastened);
            } catch (FeedKitException e) {
                failure = Optional.of(e);
            }
        }
        if (hastened == 0 && failure.isPresent()) {
            throw failure.get();
        }
        return hastened;
    }

    /** Skips tasks that wait on purpose, which are in the same queue, but only up to a number of them. */
    private int hasten(int partition, int most) {
        int hastened = 0;
        byte[] after = {};
        for (int look = 0; look < MOST_LOOKS && hastened < most; look++) {
            List<byte[]> arguments =
                    List.of(clock.now(), Arguments.number(HASTENED_AMONG), Arguments.number(most - hastened), after);
            List<Object> answer =
                    link.run("log.hasten", Effect.WRITE, LogScripts.HASTEN.on(keys.of(partition), arguments));
            hastened += ((Long) answer.get(0)).intValue();
            after = (byte[]) answer.get(1);
            if (after.length == 0) {
                break;
            }
        }
        return hastened;
    }

    @Override
    public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        return dead.moveToDeadLetters(claim, attempts, reason);
    }

    @Override
    public boolean split(Claim claim, List<KeyRange> ranges) {
        List<byte[]> parts = ranges.stream()
                .map(range -> TaskCodec.tail(claim.task(), range))
                .toList();
        return replace("log.split", LogScripts.SPLIT, claim, parts);
    }

    @Override
    public boolean retractLater(Claim claim, long delayMillis) {
        return replace("log.retractLater", LogScripts.RETRACT_LATER, claim, List.of(Arguments.millis(delayMillis)));
    }

    private boolean replace(String operation, Script<Long> script, Claim claim, List<byte[]> by) {
        List<byte[]> arguments = new ArrayList<>(
                List.of(clock.now(), Arguments.text(claim.task().id()), Arguments.token(claim.lease())));
        arguments.addAll(by);
        return link.run(operation, Effect.WRITE, script.on(keys.of(TaskIds.partition(claim)), arguments)) == 1;
    }

    @Override
    public boolean catchUp(String author, Entry entry) {
        byte[] group = TaskCodec.group(author, entry.version());
        List<byte[]> arguments = List.of(clock.now(), group, TaskCodec.tail(group, entry));
        Call<Long> call = LogScripts.CATCH_UP.on(keys.of(Keys.partition(author)), arguments);
        return link.run("log.catchUp", Effect.WRITE, call) == 1;
    }

    @Override
    public QueueStatus queueStatus() {
        long due = 0;
        long deferred = 0;
        long deadLetters = 0;
        long lent = 0;
        for (List<Object> answer : everywhere("log.queueStatus", LogScripts.QUEUE_STATUS, keys::withDead)) {
            due += (Long) answer.get(0);
            deferred += (Long) answer.get(1);
            deadLetters += (Long) answer.get(2);
            lent += (Long) answer.get(3);
        }
        return new QueueStatus(due, deferred, deadLetters, Math.min(lent, LENT_AT_MOST));
    }

    @Override
    public long invisibleSince() {
        return everywhere("log.invisibleSince", LogScripts.INVISIBLE, keys::of).stream()
                .mapToLong(Long::longValue)
                .filter(since -> since != 0)
                .min()
                .orElse(0);
    }

    @Override
    public List<Dead> dead(String after, int limit) {
        return dead.list(after, limit);
    }

    @Override
    public Found find(String author, int among) {
        return search.find(author, among);
    }

    @Override
    public void forEachUnfinished(Predicate<List<Task>> visitor) {
        unfinished.each(visitor);
    }

    @Override
    public int replay(Collection<String> ids) {
        return dead.replay(ids);
    }

    @Override
    public int discard(Collection<String> ids) {
        return dead.discard(ids);
    }

    @Override
    public OptionalInt restart(long loss, long finishedSince) {
        return IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> restart(partition, loss, finishedSince))
                .flatMapToInt(OptionalInt::stream)
                .reduce(Integer::sum);
    }

    @Override
    public Map<Kind, Long> unfinishedByKind() {
        List<Integer> partitions = IntStream.range(0, Keys.PARTITIONS).boxed().toList();
        List<byte[]> few = kinds(partitions, KINDS_AT_FIRST);
        List<Integer> cutOff = partitions.stream()
                .filter(partition -> few.get(partition).length >= KINDS_AT_FIRST)
                .toList();
        Iterator<byte[]> more = kinds(cutOff, KINDS_AMONG).iterator();
        Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        for (int partition : partitions) {
            for (byte letter : cutOff.contains(partition) ? more.next() : few.get(partition)) {
                counts.merge(TaskCodec.kind(letter), 1L, Long::sum);
            }
        }
        return counts;
    }

    private List<byte[]> kinds(List<Integer> partitions, int among) {
        List<byte[]> arguments = List.of(clock.now(), Arguments.number(among));
        List<Call<byte[]>> calls = partitions.stream()
                .map(partition -> LogScripts.KINDS.on(keys.of(partition), arguments))
                .toList();
        return calls.isEmpty() ? List.of() : link.runAll("log.kinds", Effect.READ, calls);
    }

    @Override
    public boolean canLend() {
        return true;
    }

    @Override
    public String policyInUse() {
        return formats.find(POLICY).orElse("");
    }

    @Override
    public void usePolicy(String name) {
        formats.put(POLICY, name);
    }

    /** Every restart begins with the first partition, whose key begins with the time of the loss. */
    @Override
    public long latestLoss() {
        Call<byte[]> time = Call.of(
                CommandType.GETRANGE,
                ByteArrayOutput::new,
                keys.restart(0),
                Arguments.number(0),
                Arguments.number(TIME_BYTES - 1));
        return new BigInteger(1, link.run("log.latestLoss", Effect.READ, time)).longValue();
    }

    /**
     * Restarts some tasks with each script: the unfinished ones, and then the finished ones, backwards from the newest.
     * Tasks that finish meanwhile are appended at the end, which the walk has already passed.
     */
    private OptionalInt restart(int partition, long loss, long finishedSince) {
        OptionalInt restarted = OptionalInt.empty();
        byte[] progress = {};
        do {
            List<byte[]> arguments = List.of(
                    clock.now(),
                    Arguments.millis(loss),
                    Arguments.millis(finishedSince),
                    Arguments.number(RESTARTED_AT_ONCE),
                    progress);
            List<Object> answer = link.run(
                    "log.restart", Effect.WRITE, LogScripts.RESTART.on(keys.withRestart(partition), arguments));
            int more = Math.toIntExact((Long) answer.get(0));
            restarted = more < 0 ? restarted : OptionalInt.of(restarted.orElse(0) + more);
            progress = (byte[]) answer.get(1);
        } while (progress.length > 0);
        return restarted;
    }

    /**
     * Runs a script in every partition. The scripts may write the partition's time, but that does not matter to the
     * caller.
     */
    private <T> List<T> everywhere(String operation, Script<T> script, IntFunction<List<byte[]>> of) {
        List<byte[]> now = List.of(clock.now());
        List<Call<T>> calls = IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> script.on(of.apply(partition), now))
                .toList();
        return link.runAll(operation, Effect.READ, calls);
    }
}
