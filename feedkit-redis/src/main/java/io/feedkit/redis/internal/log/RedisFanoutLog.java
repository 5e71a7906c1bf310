package io.feedkit.redis.internal.log;

import io.feedkit.FeedKitException;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.call.Script;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The log in Redis: a log of its own in each partition, beside the outboxes of its authors, so that a post and its task are recorded in one step on any topology. Whoever
 * looks for work looks into all of them, and takes what has waited longest in any ({@link TaskClaimer}).
 *
 * <p>A new push or pull is at the end of a list, as it was recorded; most are claimed and finished before long, so nothing else is made of them. Tasks that have been claimed are
 * in a hash, and in a queue in the order in which they may be claimed again: those that wait by when they are due, those on lease by when that ends. So a lease that has run out is a task
 * that is due, and nobody has to notice. Besides there are those of them that hold the settled mark back, by whether their posts show already and by creation; those that were put off; the finished ones, a list in the order of time; the dead ones, by id.
 *
 * <p>A partition's time never falls: what was given out of it is kept in its header. So no task is recorded before a mark, and lists stay in order.
 */
public final class RedisFanoutLog implements FanoutLog {

    /** Tasks that are not due which one script looks at: a millisecond of the server's time. */
    private static final int HASTENED_AMONG = 1000;

    /** After so many scripts the rest of a partition is left to its delays: a hundred thousand tasks. */
    private static final int MOST_LOOKS = 100;

    private static final int REOPENED_AT_ONCE = 100;

    private final RedisLink link;
    private final LogKeys keys;
    private final ScriptClock clock;
    private final TaskClaimer claims;
    private final ClaimUpdates updates;
    private final DeadLetters dead;

    public RedisFanoutLog(RedisLink link, Keys keys, ScriptClock clock) {
        this.link = link;
        this.keys = new LogKeys(keys);
        this.clock = clock;
        claims = new TaskClaimer(link, this.keys, clock);
        updates = new ClaimUpdates(link, this.keys, clock);
        dead = new DeadLetters(link, this.keys, clock);
    }

    /** Every task recorded before this time is finished or dead. */
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

    /** Goes on where a partition is out of reach. */
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

    /** Looks past what waits on purpose, which is in the same order, some at a time; but not past any number. */
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
    public boolean bury(Claim claim, int attempts, String reason) {
        return dead.bury(claim, attempts, reason);
    }

    @Override
    public boolean split(Claim claim, List<KeyRange> ranges) {
        List<byte[]> parts = ranges.stream()
                .map(range -> TaskCodec.tail(claim.task(), range))
                .toList();
        return replace("log.split", LogScripts.SPLIT, claim, parts);
    }

    @Override
    public boolean retractAgain(Claim claim, long delayMillis) {
        return replace("log.retractAgain", LogScripts.RETRACT_AGAIN, claim, List.of(Arguments.millis(delayMillis)));
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
    public Depth depth() {
        long due = 0;
        long deferred = 0;
        long buried = 0;
        for (List<Object> answer : everywhere("log.depth", LogScripts.DEPTH, keys::withDead)) {
            due += (Long) answer.get(0);
            deferred += (Long) answer.get(1);
            buried += (Long) answer.get(2);
        }
        return new Depth(due, deferred, buried);
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
    public int replay(Collection<String> ids) {
        return dead.replay(ids);
    }

    @Override
    public int reopen(long finishedSince) {
        return IntStream.range(0, Keys.PARTITIONS)
                .map(partition -> reopen(partition, finishedSince))
                .sum();
    }

    /** Some with each script, back from the last that there is at the beginning: those that are finished again meanwhile come behind it. */
    private int reopen(int partition, long finishedSince) {
        int reopened = 0;
        byte[] next = {};
        do {
            List<byte[]> arguments =
                    List.of(clock.now(), Arguments.millis(finishedSince), Arguments.number(REOPENED_AT_ONCE), next);
            List<Object> answer =
                    link.run("log.reopen", Effect.WRITE, LogScripts.REOPEN.on(keys.withDone(partition), arguments));
            reopened += Math.toIntExact((Long) answer.get(0));
            next = (byte[]) answer.get(1);
        } while (next.length > 0);
        return reopened;
    }

    /** Asks in every partition. What this may keep of the time does not matter to whoever asks. */
    private <T> List<T> everywhere(String operation, Script<T> script, IntFunction<List<byte[]>> of) {
        List<byte[]> now = List.of(clock.now());
        List<Call<T>> calls = IntStream.range(0, Keys.PARTITIONS)
                .mapToObj(partition -> script.on(of.apply(partition), now))
                .toList();
        return link.runAll(operation, Effect.READ, calls);
    }
}
